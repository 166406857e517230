"""Where a cluster runs: what all places share, and machines of their owner's, which are reached by ssh alone."""
