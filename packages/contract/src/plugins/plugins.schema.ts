import { z } from 'zod';
import { issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { pluginsIssues } from './plugins.errors.ts';

const ownIssue = issuesOf(pluginsIssues);

/** What plugins are for. A plugin that names none of them gets `other`. Source: specification 2, section 3. */
export const PLUGIN_CATEGORIES = [
  'plc',
  'opc',
  'iec',
  'solar-inverters',
  'clavis',
  'control',
  'wind-turbines',
  'electricity-meters',
  'weather-stations',
  'loggers',
  'batteries',
  'modbus',
  'computer-vision',
  'hsm',
  'management',
  'testing',
  'other',
] as const;
export const pluginCategory = z.enum(PLUGIN_CATEGORIES);
export type PluginCategory = z.infer<typeof pluginCategory>;

export const pluginName = z.string().regex(/^[a-z][a-z0-9-]{0,38}[a-z0-9]$/);
export const pluginVersion = z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/);
const plain = (length: number) =>
  z
    .string()
    .max(length)
    .regex(...ONE_LINE);
const optionName = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/);

/**
 * What an argument is: `filesOnDisk` is chosen from a folder of the device, `fileContent` is a file that is written there
 * with it, `sourceMap` such a file with rules for names, `serial` a serial line or an address.
 */
export const ARGUMENT_TYPES = [
  'text',
  'integer',
  'decimal',
  'choice',
  'flag',
  'password',
  'serial',
  'filesOnDisk',
  'fileContent',
  'sourceMap',
] as const;

export const pluginArgument = z.object({
  /** As it is called on a command line. */
  option: optionName,
  /** The column of a service file, where that is another. */
  serviceName: optionName.optional(),
  type: z.enum(ARGUMENT_TYPES),
  /** What stands before the value; without it the argument has a place instead of a name. */
  prefix: plain(44).optional(),
  /** Where its files lie. */
  directory: z.string().max(200).startsWith('/').optional(),
  /** What a choice has. */
  options: z.array(plain(80)).max(60).optional(),
  default: plain(200).optional(),
  help: plain(300).optional(),
});
export type PluginArgument = z.infer<typeof pluginArgument>;

const argumentList = z.array(pluginArgument).max(60);
const actionSpec = z.object({
  command: plain(60).optional(),
  /** What the command says: text for people, or files that the agent captures. */
  format: z.enum(['text', 'csv']).optional(),
  mandatory: argumentList,
  optional: argumentList,
});

export const PLUGIN_SCHEMA = 'urn:albedo:plugin-spec:1';

/** What a plugin is and takes, as it stands in its package. */
export const pluginSpec = z.object({
  $schema: z.literal(PLUGIN_SCHEMA),
  name: pluginName,
  version: pluginVersion,
  title: plain(80).min(1),
  summary: plain(300),
  type: z.literal('program'),
  /** The command on the device. */
  binary: z.string().regex(/^[a-z][a-z0-9_]{0,58}$/),
  labels: z.array(pluginCategory).min(1).max(16),
  /** It can go on by itself, told by a service file. */
  service: z.boolean(),
  /** All that it may reach beside its own output. */
  uses: z.object({ devices: z.array(plain(100)).max(20), paths: z.array(plain(200)).max(20) }),
  cmdSpec: z.object({
    actionSpecs: z.object({ shared: actionSpec, discover: actionSpec, log: actionSpec }),
  }),
});
export type PluginSpec = z.infer<typeof pluginSpec>;

/** A plugin of the repository. */
export const pluginListing = z.object({
  name: pluginName,
  title: z.string(),
  summary: z.string(),
  labels: z.array(pluginCategory),
  /** The newest one. */
  version: pluginVersion,
  /** Newest first. */
  versions: z.array(pluginVersion),
  sizeBytes: z.number().int(),
});
export type PluginListing = z.infer<typeof pluginListing>;

export const pluginDetail = pluginListing.extend({
  spec: pluginSpec,
  /** The workgroup may install it. */
  isAvailable: z.boolean(),
});
export type PluginDetail = z.infer<typeof pluginDetail>;

/** Size from which a Modbus program is the build in Rust, bytes. Source: specification 2, section 9. */
export const RUST_BYTES = 5_000_000;

/** A plugin as a device has it. */
export const installedPlugin = z.object({
  name: pluginName,
  /** Null for one that came with the agent pack. */
  version: pluginVersion.nullable(),
  binary: z.string().max(60),
  sizeBytes: z.number().int().min(0),
  isRust: z.boolean(),
});
export type InstalledPlugin = z.infer<typeof installedPlugin>;

/** Name of a service file and of its unit. Source: domain facts of the edge, 10.3. */
export const serviceName = z.string().regex(/^[a-z][-a-z0-9]{0,58}[a-z0-9]$/);

/** Characters of a service file at most. */
const SERVICE_FILE_LENGTH = 100_000;
export const serviceFile = z
  .string()
  .min(1)
  .max(SERVICE_FILE_LENGTH)
  .refine((text) => !text.includes('\0'));

/** Files that arguments of a service name, by argument; an empty one is deleted from the device. */
export const argumentFiles = z
  .record(
    optionName,
    z
      .string()
      .max(SERVICE_FILE_LENGTH)
      .refine((text) => !text.includes('\0')),
  )
  .refine((files) => Object.keys(files).length <= 10);

/** Where a file of an argument lies, below the root of the agent. */
export const argumentPath = (service: string, option: string): string =>
  `/etc/albedo/services/files/${service}.${option}`;

export const pluginService = z.object({
  name: serviceName,
  plugin: pluginName,
  isDisabled: z.boolean(),
  isRunning: z.boolean(),
  /** Starts since the agent began to keep it. */
  starts: z.number().int().min(0),
  /** Each password in it is `KEPT_SECRET`. */
  file: z.string().max(SERVICE_FILE_LENGTH),
  files: argumentFiles,
});
export type PluginService = z.infer<typeof pluginService>;

/** Folders below the run folder of an agent, each for an interval, s. Source: specification 2, section 9. */
export const RUN_INTERVALS = {
  '5s': 5,
  '30s': 30,
  '1m': 60,
  '2m': 120,
  '5m': 300,
  '10m': 600,
  '15m': 900,
  '30m': 1800,
  '1h': 3600,
  '6h': 21_600,
  '12h': 43_200,
  '1d': 86_400,
} as const satisfies Record<string, number>;
export type RunInterval = keyof typeof RUN_INTERVALS;
const RUN_FOLDERS = Object.keys(RUN_INTERVALS) as [RunInterval, ...RunInterval[]];
export const runInterval = z.enum(RUN_FOLDERS);
/** What the frequencies of tasks are called, and the folder of each. Source: specification 2, section 9. */
const FREQUENCIES = {
  '1min': '1m',
  '2min': '2m',
  '5min': '5m',
  '10min': '10m',
  '15min': '15m',
  '30min': '30m',
  hourly: '1h',
  '6hourly': '6h',
  '12hourly': '12h',
  daily: '1d',
} as const satisfies Record<string, RunInterval>;
const named = new Map<string, RunInterval>(Object.entries(FREQUENCIES));
/** A frequency as a caller may name it, by its name or its folder. */
export const askedFrequency = z
  .enum([...RUN_FOLDERS, ...(Object.keys(FREQUENCIES) as (keyof typeof FREQUENCIES)[])])
  .transform((given) => named.get(given) ?? (given as RunInterval));
/** How often the tasks of a plugin may run: every minute at most. Source: specification 2, section 9. */
export const TASK_INTERVALS = RUN_FOLDERS.filter((one) => RUN_INTERVALS[one] >= 60);

/** Name of a task file; people who write one on the device choose more freely than a form does. */
export const taskName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,59}$/);
const argumentValue = plain(2000);

/** What a task may have its plugin do; `shared` of a spec is what both of them take. Source: specification 2, section 9. */
export const TASK_ACTIONS = ['log', 'discover'] as const;
export type TaskAction = (typeof TASK_ACTIONS)[number];
const taskAction = z
  .string()
  .max(60)
  .superRefine((given, context) => {
    if (!TASK_ACTIONS.some((one) => one === given))
      context.addIssue(ownIssue([], 'issue.activity_action', { x: given }));
  })
  .pipe(z.enum(TASK_ACTIONS));

/**
 * What a device tells instead of a password. Sent back it means the one that the device has, so passwords of plugins can be
 * written and never read.
 */
export const KEPT_SECRET = '•'.repeat(8);

/** What the one command of a task is given. */
export const taskArguments = z.object({
  /** Agents before there were others say nothing of it. */
  action: taskAction.default('log'),
  /** Those that have a place, in order. A command line would take one that begins with a hyphen for an option. */
  mandatory: z.array(argumentValue.refine((value) => !value.startsWith('-'))).max(60),
  optional: z.record(optionName, argumentValue).refine((options) => Object.keys(options).length <= 60),
  flags: z.array(optionName).max(60),
  /** Passwords: the command finds them in its environment, since every process can read a command line. */
  secrets: z.record(optionName, argumentValue).refine((secrets) => Object.keys(secrets).length <= 10),
});
export type TaskArguments = z.infer<typeof taskArguments>;

/** A file of a run folder that runs a plugin. */
export const pluginTask = z.object({
  name: taskName,
  plugin: pluginName,
  frequency: runInterval,
  /** Put aside in the folder `disabled`, commented out, or not executable. */
  isDisabled: z.boolean(),
  /** Null for a script that says more than one command; it is changed on the device alone. Passwords are `KEPT_SECRET`. */
  arguments: taskArguments.nullable(),
  files: argumentFiles,
});
export type PluginTask = z.infer<typeof pluginTask>;

const activityType = {
  error: ({ code }: { code?: string }) =>
    code === 'invalid_union' ? pluginsIssues['issue.activity_type'] : undefined,
};

/** What a saved activity takes the place of. */
export const oldActivity = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('service'), name: serviceName }),
    z.object({ type: z.literal('task'), name: taskName, frequency: runInterval }),
  ],
  activityType,
);
export type OldActivity = z.infer<typeof oldActivity>;

/** What a plugin does again and again: a service, or a task of a run folder. */
export const activity = z.discriminatedUnion(
  'type',
  [
    z.object({
      type: z.literal('service'),
      name: serviceName,
      file: serviceFile,
      isDisabled: z.boolean(),
      files: argumentFiles,
    }),
    z.object({
      type: z.literal('task'),
      name: serviceName,
      frequency: runInterval,
      arguments: taskArguments,
      isDisabled: z.boolean(),
      files: argumentFiles,
    }),
  ],
  activityType,
);
export type Activity = z.infer<typeof activity>;

/** Everything about plugins that a device has. */
export const pluginState = z.object({
  /** What stands before the paths of this agent; empty on a machine that it has for itself. */
  root: z.string().max(1000),
  plugins: z.array(installedPlugin).max(200),
  services: z.array(pluginService).max(200),
  /** Agents before there were tasks say nothing of them. */
  tasks: z.array(pluginTask).max(200).default([]),
});
export type PluginState = z.infer<typeof pluginState>;

/** Steps of an installation on the device, in their order. */
export const INSTALL_STEPS = ['receiving', 'stopping', 'installing', 'listing', 'starting'] as const;
export type InstallStep = (typeof INSTALL_STEPS)[number];

/** A plugin on a device of the workgroup, as the cloud last heard. */
export const devicePlugin = installedPlugin.extend({ deviceId: z.uuid(), at: z.number() });
export type DevicePlugin = z.infer<typeof devicePlugin>;

/**
 * What a device was at when something about its plugins failed: what stands in its place until it is complete, the reading
 * of its activities, the search for one of them, a service, or a tool.
 */
export type PluginStep =
  | 'temporary'
  | 'list'
  | 'find'
  | 'activate'
  | 'restart'
  | 'start'
  | 'stop'
  | 'remove'
  | 'ardpkg'
  /** A tool is not there; a shell says so with 127. */
  | 'tool';

/** Whether a rule of a source map has two parts that say something; blank lines are none. Source: specification 2, section 5. */
export const isSourceMap = (text: string): boolean =>
  text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(','))
    .every((parts) => parts.length === 2 && parts.every((part) => part.trim() !== ''));

/** A serial line of a device. */
export const serialLine = z.object({
  path: z.string().max(300),
  /** A name that stays when the plug is moved. */
  id: z.string().max(300).nullable(),
});
export type SerialLine = z.infer<typeof serialLine>;

export const compareVersions = (a: string, b: string): number => {
  const [left, right] = [a, b].map((one) => one.split('.').map(Number));
  for (let at = 0; at < 3; at++) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};
