"""What `training.evaluator` is made of: good texts and their mutations, a network, its figures."""
