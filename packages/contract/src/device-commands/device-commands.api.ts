import { z } from 'zod';
import { can, commands, member } from '../access/access.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { longAction } from '../long-actions/long-actions.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  commandOutcome,
  commandValues,
  deviceCommand,
  newDeviceCommand,
  onAnyCommand,
  onCommand,
  onCommandRun,
  RUN_DEVICES,
} from './device-commands.schema.ts';

const EXAMPLE = {
  name: 'Restart the reader',
  command: 'systemctl restart {unit}',
  parameters: [{ name: 'unit' }],
};
const manage = (on: 'all' | 'params.command') =>
  ({ ...can('controlDevices'), rule: { resource: 'DeviceCommand', action: 'manage', on } }) as const;

export const deviceCommandsApi = {
  all: {
    method: 'GET',
    url: '/devices/:wg/device/commands',
    access: member,
    summary: 'The saved commands of all devices that the caller may read, by name.',
    schema: { params: inWorkgroup, response: { 200: z.array(deviceCommand) } },
  },
  list: {
    method: 'GET',
    url: '/devices/:wg/:device/commands',
    access: member,
    summary: 'The saved commands of one device, those of every device among them.',
    schema: { params: onDevice, response: { 200: z.array(deviceCommand) } },
  },
  add: {
    method: 'POST',
    url: '/devices/:wg/:device/commands',
    access: manage('all'),
    summary: 'Saves a command for a device, or for every device.',
    example: { body: EXAMPLE },
    schema: { params: onDevice, body: newDeviceCommand, response: { 200: deviceCommand } },
  },
  update: {
    method: 'PUT',
    url: '/devices/:wg/:device/commands/:command',
    access: manage('params.command'),
    summary: 'Replaces a saved command.',
    example: { body: EXAMPLE },
    schema: { params: onCommand, body: newDeviceCommand, response: { 200: deviceCommand } },
  },
  remove: {
    method: 'DELETE',
    url: '/devices/:wg/:device/commands/:command',
    access: manage('params.command'),
    summary: 'Deletes a saved command.',
    schema: { params: onCommand, response: { 200: z.object({}) } },
  },
  run: {
    method: 'POST',
    url: '/devices/:wg/device/commands/:command/run',
    access: { ...commands, rule: { resource: 'DeviceCommand', action: 'run', on: 'params.command' } },
    summary: 'Runs a saved command on devices, as a long action; its id is that of the run.',
    example: { body: { devices: ['6f9619ff-8b86-4d01-b42d-00c04fc964ff'] } },
    schema: {
      params: onAnyCommand,
      body: z.object({ devices: z.array(z.uuid()).min(1).max(RUN_DEVICES), values: commandValues }),
      response: { 200: longAction },
    },
  },
  outcome: {
    method: 'GET',
    url: '/command-runs/:wg/:run',
    access: commands,
    summary: 'What came of a run, by device.',
    schema: { params: onCommandRun, response: { 200: z.array(commandOutcome) } },
  },
} as const satisfies Api;
