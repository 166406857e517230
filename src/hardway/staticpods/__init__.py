"""The static pods written by hand: every flag is a row with its reason, one module per pod."""
