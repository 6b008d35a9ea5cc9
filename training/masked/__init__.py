"""Small masked language models from nothing: text, vocabulary, training and packing."""
