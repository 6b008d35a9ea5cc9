"""The WebSplit benchmark (Narayan et al., 2017): its builder, its systems and its figures; see docs/websplit.md."""
