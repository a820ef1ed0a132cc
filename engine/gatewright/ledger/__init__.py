"""The ledger: every decision recorded, counted and evidenced, in SQLite, in JSON lines, or in PostgreSQL."""
