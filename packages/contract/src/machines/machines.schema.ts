import { z } from 'zod';
import { FIELD_ROLE_NAMES } from '../field-roles/field-roles.ts';
import { changedVersion } from '../history/history.schema.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';

const line = z
  .string()
  .trim()
  .min(1, 'Required')
  .max(120)
  .regex(...ONE_LINE);
const lineOrNone = z
  .string()
  .trim()
  .max(120)
  .regex(...ONE_LINE)
  .default('');

/** Machines that one workgroup may have. */
export const MACHINES_LIMIT = 1000;

/** What kind of thing a machine is. */
export const MACHINE_CLASSES = [
  'inverter',
  'meter',
  'station',
  'battery',
  'string',
  'transformer',
  'wind-turbine',
  'heat-pump',
  'charger',
  'other',
] as const;
export const machineClass = z.enum(MACHINE_CLASSES);
export type MachineClass = z.infer<typeof machineClass>;

/** Where the value of a role stands in what such a machine sends; `units` where the source names none or a wrong one. */
export const machineRole = z.object({
  table: z.string().trim().min(1, 'Required').max(200),
  field: z.string().trim().min(1, 'Required').max(200),
  units: z.string().trim().max(40).nullable().default(null),
});
export type MachineRole = z.output<typeof machineRole>;

export const machineRoles = z.partialRecord(z.enum(FIELD_ROLE_NAMES), machineRole);
export type MachineRoles = z.output<typeof machineRoles>;

/** A figure of the name plate, such as `{ name: 'AC power', value: 25, units: 'kW' }`. */
const rating = z.object({ name: line, value: z.number(), units: z.string().trim().max(40).default('') });

/** What a code of the field with the role `state` means. */
const stateWord = z.object({
  code: z.string().trim().min(1, 'Required').max(80),
  word: line,
  level: z.enum(['ok', 'idle', 'warning', 'danger']).default('ok'),
});

/** One corner of the curve: at `x` (W/m², or m/s for a wind turbine) the machine gives `powerW`. */
const curvePoint = z.object({ x: z.number(), powerW: z.number() });

const once = (values: readonly unknown[]) => new Set(values).size === values.length;

/** A machine as it is written, all of it at once: the type of entities, not one of them. */
export const newMachine = z.object({
  name: line,
  class: machineClass.default('other'),
  maker: lineOrNone,
  model: lineOrNone,
  ratings: z.array(rating).max(50).default([]),
  states: z
    .array(stateWord)
    .max(200)
    .refine((all) => once(all.map(({ code }) => code)), 'Each entry can appear only once.')
    .default([]),
  powerCurve: z
    .array(curvePoint)
    .max(200)
    .refine((all) => once(all.map(({ x }) => x)), 'Each entry can appear only once.')
    .overwrite((all) => all.toSorted((a, b) => a.x - b.x))
    .default([]),
  roles: machineRoles.default({}),
});
export type NewMachine = z.output<typeof newMachine>;

export const changedMachine = newMachine.extend({ version: changedVersion });
export type ChangedMachine = z.output<typeof changedMachine>;

/** `version` counts the saves. */
export const machine = newMachine.extend({ _id: z.uuid(), version: z.number().int() });
export type Machine = z.output<typeof machine>;

export const onMachine = inWorkgroup.extend({ machine: z.uuid() });
