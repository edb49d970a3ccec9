"""A small shop with the mistakes that make tests flaky: a race, a chance, and one honest bug."""
