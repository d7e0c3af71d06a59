import {
  parseSetpoint,
  SETPOINT_KINDS,
  type Setpoint,
  type SetpointKind,
} from '@albedo/contract/schedules/setpoints';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import { parse } from 'yaml';
import { z } from 'zod';

/** Part of a path, of a source and of a file's name. */
const name = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/i, 'letters, digits, - and _ alone');
const seconds = z.number().int().min(0).max(65_000);

const setpointIn = (kind: SetpointKind) =>
  z.string().transform((text, context): Setpoint => {
    try {
      return parseSetpoint(kind, text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: messageOf(error) });
      return z.NEVER;
    }
  });

const shared = {
  name,
  /** How often its file is read anew, ms. */
  read_interval: z.number().int().min(100).max(3_600_000).default(1000),
  /** How often its values are recorded, s; 0 never. */
  stream_interval: z.number().int().min(0).max(86_400).default(0),
  /** What is switched off is recorded, and not obeyed. */
  enable_active_power: z.boolean().default(true),
  enable_power_factor: z.boolean().default(true),
  enable_reactive_power: z.boolean().default(false),
};

const provider = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('fixed'),
    ...shared,
    setpoint_activepower: setpointIn('setpoint_activepower').optional(),
    setpoint_cosphi: setpointIn('setpoint_cosphi').optional(),
    setpoint_reactivepower: setpointIn('setpoint_reactivepower').optional(),
  }),
  z.strictObject({ type: z.literal('schedule'), ...shared }),
]);
export type ProviderConfig = z.infer<typeof provider>;

/** Whether a register may be written as often as one likes, or wears. */
const registerClass = z.enum(['volatile', 'persistent']);

const power = z.string().transform((text, context) => {
  try {
    const setpoint = parseSetpoint('setpoint_activepower', text);
    if (setpoint.kind === 'setpoint_activepower' && setpoint.unit === 'W' && setpoint.value > 0)
      return setpoint.value;
  } catch {
    // Said below.
  }
  context.addIssue({ code: 'custom', message: `"${text}" is no rated power such as 25 kW` });
  return z.NEVER;
});

const percent = z.string().transform((text, context) => {
  const match = /^(\d+(?:\.\d+)?)\s*%$/.exec(text.trim());
  if (match && Number(match[1]) <= 100) return Number(match[1]);
  context.addIssue({ code: 'custom', message: `"${text}" is no part of the rated power such as 30%` });
  return z.NEVER;
});

const inverter = z.strictObject({
  name,
  endpoint: z.string().regex(/^[\w.:-]+$/, 'an address or a host name'),
  port: z.number().int().min(1).max(65_535).default(502),
  unit: z.number().int().min(1).max(255).default(1),
  /** What the inverter says of itself by default. */
  rated_power: power.optional(),
  /** After so many seconds without us the inverter goes on by itself; 0 leaves it as we left it. */
  revert: seconds.default(120),
  /** What it goes on with: released by default. Model 704 alone has it. */
  fallback: percent.optional(),
  ramp: seconds.default(0),
  /** After the ramp the power is given so long to follow, s. */
  settle: seconds.default(15),
  classes: z
    .strictObject(Object.fromEntries(SETPOINT_KINDS.map((kind) => [kind, registerClass.optional()])))
    .default({}),
  /** Writes a day to one register of the class persistent. */
  persistent_writes_a_day: z.number().int().min(1).max(1000).default(24),
  /** Sign that `OutPFSet` has for over-excited. */
  over_excited: z.enum(['positive', 'negative']).default('positive'),
  function: z.union([z.literal(6), z.literal(16), z.literal('auto')]).default('auto'),
  /** A new value counts once the enable goes from 0 to 1. */
  toggle_enable: z.boolean().default(false),
});
export type InverterConfig = z.infer<typeof inverter>;

const config = z.strictObject({
  /** How often the plant is looked at, ms. */
  interval: z.number().int().min(100).max(60_000).default(1000),
  plant: name.default('plant'),
  /** Longest wait for an answer, s. */
  timeout: z.number().min(0.1).max(30).default(1),
  /** What an inverter that nobody reaches counts as: as much as it may make, or nothing. */
  unreachable: z.enum(['producing', 'stopped']).default('producing'),
  /** The first that has a value is obeyed. */
  providers: z.array(provider).min(1),
  inverters: z.array(inverter).min(1).max(500),
});
export type ControlConfig = z.infer<typeof config>;

/** What is wrong with one part; each field that nobody knows by its name. */
const faultsOf = (issue: z.core.$ZodIssue): string[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => `${place([...issue.path, key])}There is no such field.`)
    : [`${place(issue.path)}${issue.message}`];

/** Reads `control.yaml`. Throws an `InputError` with every fault, each with its place. */
export function parseConfig(text: string, file: string): ControlConfig {
  let given: unknown;
  try {
    given = parse(text);
  } catch (error) {
    throw new InputError(`${file}: ${messageOf(error)}`);
  }
  const read = config.safeParse(given ?? {});
  if (!read.success)
    throw new InputError(
      read.error.issues.flatMap((issue) => faultsOf(issue).map((fault) => `${file}: ${fault}`)).join('\n'),
    );
  const twice = [
    ...doubled(read.data.providers.map((one) => one.name)).map((one) => `two providers are called ${one}`),
    ...doubled(read.data.inverters.map((one) => one.name)).map((one) => `two inverters are called ${one}`),
    ...doubled(read.data.inverters.map((one) => `${one.endpoint}:${one.port} unit ${one.unit}`)).map(
      (one) => `two inverters are ${one}`,
    ),
  ];
  if (twice.length > 0) throw new InputError(twice.map((text) => `${file}: ${text}`).join('\n'));
  return read.data;
}

export const classOf = (inverter: InverterConfig, kind: SetpointKind): 'volatile' | 'persistent' =>
  inverter.classes[kind] ?? 'volatile';

/** Seconds of the inverter's own timer; a register that wears is not renewed, so it has none. */
export const timerOf = (inverter: InverterConfig, kind: SetpointKind): number =>
  classOf(inverter, kind) === 'volatile' ? inverter.revert : 0;

const place = (path: PropertyKey[]): string => (path.length === 0 ? '' : `${path.join('.')}: `);

function doubled(list: string[]): string[] {
  return [...new Set(list.filter((one, index) => list.indexOf(one) !== index))];
}
