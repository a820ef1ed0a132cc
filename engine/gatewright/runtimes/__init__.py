"""What is known of the agents that workers run: how they are started, trusted and read."""
