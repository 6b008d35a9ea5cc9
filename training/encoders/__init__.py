"""What is the same in training any small network that reads with the encoder of a masked language model."""
