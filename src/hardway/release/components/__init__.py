"""What each image of a release is for."""
