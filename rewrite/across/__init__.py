"""What sentences of one text have to do with each other, and with a list of terms: see `neighbours` and `replacing`."""
