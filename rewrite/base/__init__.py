"""The pretrained base model, Gemma 3 270M from a PyPI package, with the adapters of this project."""
