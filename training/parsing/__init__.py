"""What `training.english_parser` is made of: treebanks, their licences, the training and the packing of a parser."""
