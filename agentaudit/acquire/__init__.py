"""The use case of acquiring: drive a plan's walks, hand what they bring to the one writer, resume them."""
