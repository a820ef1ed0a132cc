"""Transcripts: what agents write of their own sessions, and which model that tells. `measuring` is the way in."""
