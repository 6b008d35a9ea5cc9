"""Guards of form: the rules of `surface` hold in any language, those of `russian` ask a parser and a dictionary."""
