"""Virtual time for the proof of checks that wait: limits and webhooks without their minutes."""
