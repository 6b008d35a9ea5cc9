"""What `training.english_parser` and `training.english_trees` are made of: treebanks, networks and their figures."""
