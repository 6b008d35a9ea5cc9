"""Words that stand against each other: what a text may not say where its source says the opposite."""
