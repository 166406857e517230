"""Parse, call, print. No logic lives here."""
