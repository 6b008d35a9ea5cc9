"""Language models behind one interface, one engine a file, each imported only when a generator spec names it."""
