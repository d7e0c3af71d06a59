import { z } from 'zod';
import { onDevice } from '../devices/devices.schema.ts';
import { issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { deviceCommandsIssues } from './device-commands.errors.ts';

const ownIssue = issuesOf(deviceCommandsIssues);

/** Devices that one run takes. */
export const RUN_DEVICES = 1000;

/** A word between braces in the command line, such as `{register}`. */
const parameterName = z
  .string()
  .trim()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/, deviceCommandsIssues['issue.command_parameter_name']);

export const commandParameter = z.object({
  name: parameterName,
  description: z.string().trim().max(200).default(''),
  type: z.enum(['text', 'number', 'choice']).default('text'),
  default: z.string().max(500).default(''),
  /** Of a choice. */
  options: z.array(z.string().min(1).max(200)).max(50).default([]),
});
export type CommandParameter = z.infer<typeof commandParameter>;

/** What stands in braces in a command line. */
export const placeholdersOf = (command: string): string[] => [
  ...new Set([...command.matchAll(/\{([A-Za-z][A-Za-z0-9_]{0,39})\}/g)].flatMap(([, name]) => name ?? [])),
];

export const newDeviceCommand = z
  .object({
    name: z
      .string()
      .trim()
      .min(1, 'Required')
      .max(80)
      .regex(...ONE_LINE),
    description: z.string().trim().max(1000).default(''),
    /** A shell command line; values stand in it quoted in place of `{name}`. */
    command: z.string().trim().min(1, 'Required').max(8000),
    parameters: z.array(commandParameter).max(20).default([]),
    timeoutS: z.number().int().min(1).max(3600).default(15),
    /** For every device of the workgroup, not for this one alone. */
    isForAll: z.boolean().default(true),
  })
  .superRefine(({ command, parameters }, context) => {
    const names = parameters.map(({ name }) => name);
    const double = names.find((name, at) => names.indexOf(name) !== at);
    if (double !== undefined)
      context.addIssue(ownIssue(['parameters'], 'issue.command_parameter_twice', { name: double }));
    const inLine = placeholdersOf(command);
    const unused = names.find((name) => !inLine.includes(name));
    if (unused !== undefined)
      context.addIssue(ownIssue(['command'], 'issue.command_parameter_unused', { name: unused }));
  });
export type NewDeviceCommand = z.infer<typeof newDeviceCommand>;

/** `device` is null for a command of every device. */
export const deviceCommand = z.object({
  _id: z.uuid(),
  device: z.uuid().nullable(),
  name: z.string(),
  description: z.string(),
  command: z.string(),
  parameters: z.array(commandParameter),
  timeoutS: z.number(),
});
export type DeviceCommand = z.infer<typeof deviceCommand>;

export const commandValues = z.record(z.string().max(40), z.string().max(2000)).default({});

/** What came of it on one device. */
export const commandOutcome = z.object({
  deviceId: z.uuid(),
  /** `unknown`: the server was stopped while it ran, so nobody heard the end; it is not run again. */
  state: z.enum(['waiting', 'running', 'done', 'failed', 'offline', 'unknown']),
  stdout: z.string(),
  stderr: z.string(),
  /** Files of the device with all of an output that was cut, to be fetched as any file. */
  stdoutFile: z.string().nullable(),
  stderrFile: z.string().nullable(),
  returnCode: z.number().nullable(),
  error: z.string().nullable(),
  /** How long it took, ms. */
  tookMs: z.number().nullable(),
});
export type CommandOutcome = z.infer<typeof commandOutcome>;

export const onCommand = onDevice.extend({ command: z.uuid() });
export const onAnyCommand = inWorkgroup.extend({ command: z.uuid() });
export const onCommandRun = inWorkgroup.extend({ run: z.uuid() });
