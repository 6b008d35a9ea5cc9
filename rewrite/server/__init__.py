"""The HTTP server of `rewrite serve`. Importing its modules needs the extra `serve`; nothing else imports them."""
