"""The learned evaluator: how good a text is for its source, without references.

After *A Weakly Supervised Approach to Evaluating Single-Document Summarization via Negative Sampling*: a regression
f(d, s) ∈ [0, 1] on an encoder that reads a document and a text together, taught with good texts and mutations of them.
"""
