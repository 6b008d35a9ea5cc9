"""Neighbouring Distribution Divergence: how far an edit moves what a masked language model expects around it."""
