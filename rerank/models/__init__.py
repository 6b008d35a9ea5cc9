"""Small masked language models that lie in the package, each in a folder with its card."""
