"""Unsupervised compression of sentences by deletion, guided by a masked language model."""
