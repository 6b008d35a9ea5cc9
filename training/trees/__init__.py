"""What `training.english_trees` is made of: sentences of treebanks, a network that parses them, and its figures."""
