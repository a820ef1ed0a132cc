"""YAML text -> `reader` -> a tree with places -> `loader` -> Policy, with every mistake of a file found at once."""
