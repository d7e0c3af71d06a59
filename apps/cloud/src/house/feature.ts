import type { FastifyInstance } from 'fastify';
import type { Subscription } from '../bus/bus.ts';
import type { Commands } from '../command-line/command.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { Check } from '../metrics/check.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { FindingSource } from './finding.ts';
import type { WorkgroupPart } from './workgroup-part.ts';

/**
 * One feature of the cloud, as `<feature>.feature.ts` makes it of the parts that it names. Everything but the name and
 * the service is left out where a feature has none.
 */
export interface Feature<Service> {
  /** As its folder is called. */
  readonly name: string;
  /** What other features may use of it. */
  readonly service: Service;
  /** What it hears of other features and of other processes, from its start to its end. */
  readonly hears?: readonly Subscription[];
  /** Answers its endpoints. */
  readonly routes?: (app: FastifyInstance) => void;
  /** Answers its socket actions. */
  readonly sockets?: (sockets: Sockets) => void;
  /** Adds its jobs, in every process; those with the role run them. */
  readonly jobs?: (jobs: Pick<Jobs, 'add'>) => void;
  /** What it has of workgroups: exported, deleted, counted. */
  readonly workgroupPart?: WorkgroupPart;
  /** Problems of a workgroup that somebody should see to; the web announces the words for each kind. */
  readonly findings?: readonly FindingSource[];
  /** What a person at a terminal of this machine can have it do. */
  readonly commands?: Commands;
  /** Asked by `/readyz`, by name. */
  readonly checks?: Readonly<Record<string, Check>>;
  /** Adds what it counts to `/metrics`. */
  readonly metrics?: (metrics: Metrics) => void;
  /** Loads what it keeps in memory and begins its work. What opens after it finds it ready. */
  readonly start?: () => unknown;
  /** Ends its work; what was opened before it is still there. Not called where the start failed. */
  readonly stop?: () => unknown;
}
