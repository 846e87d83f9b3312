"""The subjects, one module a family. Each has `subjects()`; whatever stands here is soaked."""
