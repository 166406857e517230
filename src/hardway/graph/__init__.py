"""The engine: assets are named pure functions of other assets, and building walks their graph."""
