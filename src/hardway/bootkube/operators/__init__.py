"""The calls that bootkube makes of operators, one row each."""
