"""The program itself: its packages, which of them may import which, and a picture of what they do import."""
