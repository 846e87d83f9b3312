"""The page: its server, its rooms, and a browser that meets them."""
