"""Certificate signing requests: read, judged by the plan, approved."""
