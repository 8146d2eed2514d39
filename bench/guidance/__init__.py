"""The steps of `bench/grt`."""
