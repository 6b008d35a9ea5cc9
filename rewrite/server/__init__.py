"""The HTTP server of `rewrite serve`. Importing its modules needs the extra `serve`, and nothing else does.

Only `phrases` is of use elsewhere, and needs no extra.
"""
