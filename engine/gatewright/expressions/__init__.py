"""The expression language of policies: one definition, read by a checker, a compiler and a tracing evaluator.

text -> `lexer` -> tokens -> `parser` -> `nodes` -> `checker` -> `emit` (compiled) and `tracer` (reference, explaining)
"""
