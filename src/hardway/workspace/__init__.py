"""A cluster's folder: the user's files, what they ask for, and what was made."""
