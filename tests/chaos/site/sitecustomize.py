"""Every Python process of a chaos test reads this at its start: it adds the test's own kind."""

from workers.kinds import registry

registry.KINDS["shaky"] = "shaky"
