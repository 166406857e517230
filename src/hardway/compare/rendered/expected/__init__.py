"""The differences from the operators' own renders that are meant, each with its reason."""
