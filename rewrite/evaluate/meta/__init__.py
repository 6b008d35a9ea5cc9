"""Meta-evaluation: how far metrics agree with what people said of the same texts. docs/metaevaluation.md."""
