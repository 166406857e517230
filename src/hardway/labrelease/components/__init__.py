"""What the lab release is compiled from."""
