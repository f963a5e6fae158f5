"""What the pit counts of itself, in the form Prometheus reads, where its client is installed
(`boxman[metrics]`); elsewhere nothing is counted."""

from __future__ import annotations

from typing import Any


class Nothing:
    """A counter that counts nothing."""

    def labels(self, *_: str) -> Nothing:
        return self

    def inc(self, amount: float = 1) -> None: ...

    def dec(self, amount: float = 1) -> None: ...

    def set(self, value: float) -> None: ...

    def observe(self, amount: float) -> None: ...


class Metrics:
    """All counters of one process."""

    def __init__(self) -> None:
        try:
            from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
        except ImportError:
            self.registry = None
        else:
            self.registry = CollectorRegistry()

        def made(kind: str, *words: Any, **more: Any) -> Any:
            if self.registry is None:
                return Nothing()
            kinds = {"counter": Counter, "gauge": Gauge, "histogram": Histogram}
            return kinds[kind](*words, registry=self.registry, **more)

        self.commands = made("counter", "boxman_commands", "Commands heard", ["answer"])
        self.rows = made("counter", "boxman_rows", "Rows stored")
        self.failures = made("counter", "boxman_store_failures", "Batches that were not stored")
        self.batch = made(
            "histogram",
            "boxman_batch_rows",
            "Rows stored together",
            buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500),
        )
        self.acknowledged = made(
            "histogram",
            "boxman_acknowledged_seconds",
            "From hearing a command to telling its maker",
            buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2),
        )
        self.sockets = made("gauge", "boxman_sockets", "Sockets open")
        self.tables = made("gauge", "boxman_tables", "Tables run here")
        self.behind = made(
            "counter", "boxman_snapshots_for_slow", "Slow sockets that were given a snapshot"
        )
        self.turned_away = made(
            "counter", "boxman_turned_away", "Requests refused at the door", ["why"]
        )

    def told(self) -> tuple[bytes, str] | None:
        """All counters as text, and its media type; None where nothing is counted."""
        if self.registry is None:
            return None
        from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

        return generate_latest(self.registry), CONTENT_TYPE_LATEST


METRICS = Metrics()
