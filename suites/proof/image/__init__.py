"""The container image, built and started."""
