"""What a battle came to: victory points, who won, the result sheet."""
