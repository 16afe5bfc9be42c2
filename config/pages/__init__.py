"""What the pages of all rooms share: finding rows, forms that hear a refusal, answers, and the pages of the house."""
