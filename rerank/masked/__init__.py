"""Masked language models, one engine a file, each imported only when it is asked for by name."""
