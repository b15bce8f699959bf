"""Tests of the sandbox, on every rung that works here."""
