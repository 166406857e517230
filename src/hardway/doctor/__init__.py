"""What is wrong, and why: findings of every kind, causes before their effects."""
