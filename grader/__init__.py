"""The autograder of transformer-exercises."""
