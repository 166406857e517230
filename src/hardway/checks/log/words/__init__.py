"""The words of each area, narrow rows before wide ones: the first row that fits a line has it."""
