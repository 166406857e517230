"""Pictures out of the tables, as SVG: readable in light and dark, with text that can be searched."""
