import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What `/metrics` tells; features add their own to the registry. */
export class Metrics {
  readonly registry = new Registry();
  readonly requestSeconds = new Histogram({
    name: 'albedo_http_request_seconds',
    help: 'Time to answer requests of the API, s.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.15, 0.3, 1, 3, 10],
    registers: [this.registry],
  });

  start(): void {
    collectDefaultMetrics({ register: this.registry, prefix: 'albedo_' });
  }

  /** A number that is asked for whenever metrics are read. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  /** A number that only grows, from the start of this process. */
  counter<Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  stop(): void {
    this.registry.clear();
  }
}
