"""Tests of the course for nbgrader, which run nbgrader's own commands."""
