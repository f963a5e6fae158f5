"""The report kit: what reports are made of, drawn as pages, in notebooks and in terminals.

It knows tables, pictures, HTML and text, and nothing of craps: every room brings its own figures.
"""
