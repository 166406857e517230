"""Components from the user's own checkouts, in place of the pinned ones or in addition to them."""
