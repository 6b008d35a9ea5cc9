"""Paraphrases by way of another language: phrases of one language that share a translation.

After Bannard and Callison-Burch, *Paraphrasing with Bilingual Parallel Corpora* (2005), for ParaEval (2006, section 4).
"""
