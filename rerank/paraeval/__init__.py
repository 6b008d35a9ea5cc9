"""ParaEval: how much of one text another one says, seen through paraphrases (Zhou et al., NAACL 2006, section 5)."""
