"""What the pit counts of itself, in the form Prometheus reads."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram


class Metrics:
    """All counters of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.commands = Counter(
            "boxman_commands", "Commands heard", ["answer"], registry=self.registry
        )
        self.rows = Counter("boxman_rows", "Rows stored", registry=self.registry)
        self.failures = Counter(
            "boxman_store_failures", "Batches that were not stored", registry=self.registry
        )
        self.batch = Histogram(
            "boxman_batch_rows",
            "Rows stored together",
            buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500),
            registry=self.registry,
        )
        self.acknowledged = Histogram(
            "boxman_acknowledged_seconds",
            "From hearing a command to telling its maker",
            buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2),
            registry=self.registry,
        )
        self.sockets = Gauge("boxman_sockets", "Sockets open", registry=self.registry)
        self.tables = Gauge("boxman_tables", "Tables run here", registry=self.registry)
        self.behind = Counter(
            "boxman_snapshots_for_slow",
            "Slow sockets that were given a snapshot",
            registry=self.registry,
        )
        self.turned_away = Counter(
            "boxman_turned_away", "Requests refused at the door", ["why"], registry=self.registry
        )


METRICS = Metrics()
