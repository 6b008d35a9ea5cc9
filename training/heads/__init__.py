"""One trainer of heads: small networks on the encoder of a masked language model, each a data set and a network."""
