"""The generic compiled kernel: a house as integer arrays, a strategy as a machine-code function.

It knows the compiled rulebook (`rules`) and the strategy API. It never looks at `table`, so that a
differential test between the two means something.
"""
