"""What things cost, measured by hand: nothing here is run by the tests."""
