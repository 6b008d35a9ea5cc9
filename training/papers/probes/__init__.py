"""The probes of the NDD paper (Peng, Li and Zhao, Findings of ACL 2023)."""
