"""Charts of the atlas: each turns the rows of some tables into entries."""
