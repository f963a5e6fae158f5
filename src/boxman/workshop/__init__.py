"""The workshop of a house author: a file begun, checked, tried."""
