"""The learning loops. They know no particular game; recipes and papers bring both together."""
