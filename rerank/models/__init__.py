"""Small masked language models and tables of paraphrases that lie in the package, each in a folder with its card."""
