"""Corpora: files of rows, read and written without holding them, that a broken run goes on with where it was."""
