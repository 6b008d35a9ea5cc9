"""How likely a reader is to pass what a language model drew or where it cuts, learnt from verdicts of readers."""
