"""Tests of the figures; one file for each module of ``figures``."""
