"""What the readers of kept stores share: words, times, lines, rulings and plans that are of no one agent."""
