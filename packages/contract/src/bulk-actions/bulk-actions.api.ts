import { z } from 'zod';
import { can, commands } from '../access/access.ts';
import type { Api } from '../http/endpoint.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import {
  bulkAction,
  bulkBegun,
  bulkOrder,
  bulkTarget,
  bulkWork,
  onBulkAction,
} from './bulk-actions.schema.ts';
import { deviceCsv, deviceCsvRow } from './device-csv.schema.ts';

const [upgrade, command, config, labels, groups, plugins, certificates] = bulkWork.options;
const DEVICES = ['6f9619ff-8b86-4d01-b42d-00c04fc964ff'];
const control = can('controlDevices');
const begun = { 200: bulkBegun };
const without = { kind: true } as const;

export const bulkActionsApi = {
  list: {
    method: 'GET',
    url: '/bulk-actions/:wg',
    access: control,
    summary:
      'The newest 100 bulk actions, newest first; members of a device group see those about their devices alone.',
    schema: { params: inWorkgroup, response: { 200: z.array(bulkAction) } },
  },
  get: {
    method: 'GET',
    url: '/bulk-actions/:wg/:bulkAction',
    access: control,
    summary: 'One bulk action with what came of it on each device.',
    schema: {
      params: onBulkAction,
      response: { 200: bulkAction.extend({ targets: z.array(bulkTarget) }) },
    },
  },
  exportDevices: {
    method: 'GET',
    url: '/bulk-actions/:wg/devices.csv',
    access: control,
    summary: 'The devices that the caller sees as CSV, a column for each field of their metadata.',
    schema: { params: inWorkgroup },
    produces: 'text/csv',
  },
  importDevices: {
    method: 'POST',
    url: '/bulk-actions/:wg/devices.csv',
    access: { ...can('manageDevices'), unbound: true },
    summary: 'Makes and changes devices from CSV; answers what came of each line.',
    example: { body: { csv: 'name,Site\nRoof,Hill', isDryRun: true } },
    schema: { params: inWorkgroup, body: deviceCsv, response: { 200: z.array(deviceCsvRow) } },
  },
  upgrade: {
    method: 'POST',
    url: '/bulk-actions/:wg/upgrade',
    access: control,
    summary: 'Upgrades the agents of devices to the version of this server, in waves.',
    example: { body: { devices: DEVICES, isDryRun: true } },
    schema: { params: inWorkgroup, body: bulkOrder.extend(upgrade.omit(without).shape), response: begun },
  },
  command: {
    method: 'POST',
    url: '/bulk-actions/:wg/command',
    access: {
      ...commands,
      rule: { resource: 'DeviceCommand', action: 'run', on: 'body.command' },
    },
    summary: 'Runs a saved command on devices, in waves; those offline run it when they are back.',
    example: { body: { devices: DEVICES, command: DEVICES[0], isDryRun: true } },
    schema: { params: inWorkgroup, body: bulkOrder.extend(command.omit(without).shape), response: begun },
  },
  config: {
    method: 'POST',
    url: '/bulk-actions/:wg/config',
    access: control,
    summary: 'Puts a part of a configuration into that of devices, in waves.',
    example: { body: { devices: DEVICES, part: 'debug: 1', isDryRun: true } },
    schema: { params: inWorkgroup, body: bulkOrder.extend(config.omit(without).shape), response: begun },
  },
  labels: {
    method: 'POST',
    url: '/bulk-actions/:wg/labels',
    access: { ...can('manageDevices'), unbound: true },
    summary: 'Sets and removes metadata of devices.',
    example: { body: { devices: DEVICES, labels: { Site: 'Hill' }, isDryRun: true } },
    schema: { params: inWorkgroup, body: bulkOrder.extend(labels.omit(without).shape), response: begun },
  },
  groups: {
    method: 'POST',
    url: '/bulk-actions/:wg/groups',
    access: { ...can('manageAccess'), unbound: true },
    summary: 'Puts devices into a device group, or takes them out of it.',
    example: { body: { devices: DEVICES, group: DEVICES[0], isIn: true, isDryRun: true } },
    schema: { params: inWorkgroup, body: bulkOrder.extend(groups.omit(without).shape), response: begun },
  },
  plugins: {
    method: 'POST',
    url: '/bulk-actions/:wg/plugins',
    access: control,
    summary: 'Installs a plugin on devices, in one version on all of them, or removes it, in waves.',
    example: { body: { devices: DEVICES, plugin: 'sunspec', isInstalled: true, isDryRun: true } },
    schema: { params: inWorkgroup, body: bulkOrder.extend(plugins.omit(without).shape), response: begun },
  },
  certificates: {
    method: 'POST',
    url: '/bulk-actions/:wg/certificates',
    access: { ...can('manageDevices'), unbound: true },
    summary:
      'Has devices take another certificate, in waves; the one before is good until they have connected with it.',
    example: { body: { devices: DEVICES, endsWithinDays: 60, isDryRun: true } },
    schema: {
      params: inWorkgroup,
      body: bulkOrder.extend(certificates.omit(without).shape),
      response: begun,
    },
  },
  pause: {
    method: 'POST',
    url: '/bulk-actions/:wg/:bulkAction/pause',
    access: control,
    summary: 'Begins on no further device; what is under way ends.',
    schema: { params: onBulkAction, response: { 200: bulkAction } },
  },
  resume: {
    method: 'POST',
    url: '/bulk-actions/:wg/:bulkAction/resume',
    access: control,
    summary: 'Goes on with one that was paused or stopped by itself, and measures anew from here.',
    schema: { params: onBulkAction, response: { 200: bulkAction } },
  },
  cancel: {
    method: 'POST',
    url: '/bulk-actions/:wg/:bulkAction/cancel',
    access: control,
    summary: 'Ends it; what is under way ends by itself, no other device is touched.',
    schema: { params: onBulkAction, response: { 200: bulkAction } },
  },
} as const satisfies Api;
