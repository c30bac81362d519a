"""Pure solvers: arrays, integers and an explicit random state; no files, no queues, no tables."""
