"""The page: a server that keeps tables, and what a browser needs to sit at one."""
