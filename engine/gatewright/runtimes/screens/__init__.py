"""Screens: read off a terminal, put into a class, and compared before and after a task was typed in."""
