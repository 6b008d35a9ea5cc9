"""Bad texts made of good ones, each with the share of it that was left alone, to teach an evaluator with.

After *A Weakly Supervised Approach to Evaluating Single-Document Summarization via Negative Sampling*, section 2.2.
"""
