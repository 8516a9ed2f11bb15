"""The site of a fleet: static pages, badges and feeds, written from what the store knows."""
