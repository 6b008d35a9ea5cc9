"""Documents whose words are rewritten and of which everything else stays: plain text, Markdown, HTML and Word files."""
