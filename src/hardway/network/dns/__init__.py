"""DNS records: planned, written for name servers, and asked for."""
