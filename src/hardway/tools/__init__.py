"""Programs of the field: one thin module a program, and one place that runs them."""
