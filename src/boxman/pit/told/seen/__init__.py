"""What players see of their own play: costs, visits, hands to share."""
