import type { FastifyInstance } from 'fastify';
import type { Bus } from '../bus/bus.ts';
import type { Commands } from '../command-line/command.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { Check } from '../metrics/check.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Feature } from './feature.ts';
import type { FindingSource } from './finding.ts';
import type { Shutdown } from './shutdown.ts';
import type { WorkgroupPart } from './workgroup-part.ts';

/**
 * The features of this process. Each is opened once those that it needs are; `shutdown` stops them in reverse.
 */
export class House {
  readonly #bus: Bus;
  readonly #jobs: Pick<Jobs, 'add'>;
  readonly #metrics: Metrics;
  readonly #shutdown: Shutdown;
  readonly #features: Feature<unknown>[] = [];

  constructor(of: { bus: Bus; jobs: Pick<Jobs, 'add'>; metrics: Metrics; shutdown: Shutdown }) {
    this.#bus = of.bus;
    this.#jobs = of.jobs;
    this.#metrics = of.metrics;
    this.#shutdown = of.shutdown;
  }

  /** Starts the feature; answers its service. */
  async open<Service>(opening: Feature<Service> | Promise<Feature<Service>>): Promise<Service> {
    const feature = await opening;
    const { name, hears = [] } = feature;
    if (this.#features.some((other) => other.name === name)) throw new Error(`${name} is opened twice.`);
    this.#features.push(feature);
    const leave = hears.map(({ subscribe }) => subscribe(this.#bus));
    try {
      await feature.start?.();
    } catch (error) {
      for (const end of leave) end();
      throw error;
    }
    this.#shutdown.add(name, async () => {
      try {
        await feature.stop?.();
      } finally {
        for (const end of leave) end();
      }
    });
    feature.metrics?.(this.#metrics);
    feature.jobs?.(this.#jobs);
    return feature.service;
  }

  /** Has every feature answer what people and machines ask. */
  mount(app: FastifyInstance, sockets: Sockets): void {
    for (const feature of this.#features) {
      feature.routes?.(app);
      feature.sockets?.(sockets);
    }
  }

  /** What the features have of workgroups; those that open later are in it too. */
  get workgroupParts(): WorkgroupPart[] {
    return this.#features.flatMap(({ workgroupPart }) => workgroupPart ?? []);
  }

  /** The finding sources of all features, also of those that open later. */
  get findings(): FindingSource[] {
    return this.#features.flatMap(({ findings }) => findings ?? []);
  }

  /** What terminals of this machine may ask for. */
  get commands(): Commands {
    return Object.assign({}, ...this.#features.map(({ commands }) => commands));
  }

  /** What has to work for the server to be ready. */
  get checks(): Record<string, Check> {
    return Object.assign({}, ...this.#features.map(({ checks }) => checks));
  }
}
