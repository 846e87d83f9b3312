"""Every game as an environment of other libraries: `.pettingzoo` and `.gymnasium`."""
