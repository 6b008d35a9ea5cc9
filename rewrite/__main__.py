"""`python -m rewrite`: the same as the command `rewrite`."""

from rewrite.cli import main

if __name__ == "__main__":
    main()
