import {
  type dynamicTail,
  absolutePath as path,
  type runDir,
  type scenarioSchemas,
} from '@albedo/contract/device-config/scenarios.schema';
import { RUN_INTERVALS } from '@albedo/contract/plugins/plugins.schema';
import { z } from 'zod';
import { readReach } from './reach.ts';

export const mqttConfig = z.object({
  hostname: z.string().min(1),
  port: z.number().int().min(1).max(65_535).default(8883),
  /** Certificate authority of the broker. */
  cacertfile: path,
  certfile: path,
  keyfile: path,
});
export type MqttConfig = z.infer<typeof mqttConfig>;

export const outboxConfig = z.object({
  limit_mb: z.number().min(1).max(1_000_000).default(256),
  limit_days: z.number().min(0.01).max(3650).default(30),
});

export const photosConfig = z.object({ limit_mb: z.number().min(1).max(1_000_000).default(256) });

export type RunScenario = z.output<typeof scenarioSchemas.run>;
export type TailScenario = z.output<typeof scenarioSchemas.tail>;
export type WatchScenario = z.output<typeof scenarioSchemas.watch>;
export type SocketScenario = z.output<typeof scenarioSchemas.unix_socket>;

export type DynamicTail = z.output<typeof dynamicTail>;

export type RunDir = z.output<typeof runDir>;

/** Length of a run folder's interval, s. */
export const intervalOf = (frequency: RunDir['frequency']): number =>
  typeof frequency === 'number' ? frequency : RUN_INTERVALS[frequency];

/** What people may do by hand over the cloud; each is allowed until the plant says otherwise. */
const REMOTE = {
  shell: true,
  commands: true,
  files: true,
  tunnels: true as Tunnels,
  upgrades: true,
  plugins: true,
};
const nothingRemote = {
  shell: false,
  commands: false,
  files: false,
  tunnels: false as Tunnels,
  upgrades: false,
  plugins: false,
};
const tunnelPlace = z
  .string()
  .refine(
    (entry) => readReach(entry) !== null,
    'must be such as 192.168.1.0/24:502, meter.local:80 or 10.0.0.5',
  );
type Tunnels = boolean | string[];
export const remoteConfig = z
  .union([
    z.boolean().transform((isAllowed) => (isAllowed ? REMOTE : nothingRemote)),
    z.strictObject({
      shell: z.boolean().default(true),
      commands: z.boolean().default(true),
      files: z.boolean().default(true),
      /** Or where they may lead, such as `192.168.1.0/24:502`. */
      tunnels: z.union([z.boolean(), z.array(tunnelPlace).max(200)]).default(true),
      upgrades: z.boolean().default(true),
      plugins: z.boolean().default(true),
    }),
  ])
  .prefault(true);
export type RemoteConfig = z.output<typeof remoteConfig>;

/** The global keys; scenario lists are read entry by entry so that a bad one costs only itself. */
export const globalKeys = {
  mqtt: mqttConfig,
  outbox: outboxConfig.prefault({}),
  photos: photosConfig.prefault({}),
  /** `own` measures only what the agent and its programs use, for machines that several agents share. */
  machine: z.union([z.boolean(), z.literal('own')]).default(true),
  debug: z.union([z.boolean(), z.number()]).default(0),
  remote: remoteConfig,
} as const;

/** Keys that configurations of other tools of this family carry; they have no meaning here and do no harm. */
export const IGNORED_KEYS = ['external', 'heartbeat', 'heartbeat_timeout', 'stdout'];
