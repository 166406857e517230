"""The lab's small operator: says of the parts of the cluster that no real operator looks after how they are.

It runs in an image of the lab release, from the base's own Python: nothing beyond the standard library.
"""
