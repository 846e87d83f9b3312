"""Games as they are written down: read strictly, written in one form, converted between formats."""

from tempo.records.record import Record

__all__ = ["Record"]
