import { z } from 'zod';
import { can, canInPerson } from '../access/access.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import {
  backupPlan,
  backupRestored,
  deviceBackup,
  deviceBackups,
  onBackup,
} from './device-backups.schema.ts';

export const deviceBackupsApi = {
  list: {
    method: 'GET',
    url: '/devices/:wg/:device/backups',
    access: can('controlDevices'),
    summary:
      'The backups of a device, newest first, and how often one is made. With `of`, those of another device.',
    schema: {
      params: onDevice,
      querystring: z.object({ of: z.uuid().optional() }),
      response: { 200: deviceBackups },
    },
  },
  create: {
    method: 'POST',
    url: '/devices/:wg/:device/backups',
    access: can('controlDevices'),
    summary: 'Makes a backup of a device: configuration, tasks, services, plugin state and saved commands.',
    schema: { params: onDevice, response: { 200: deviceBackup } },
  },
  plan: {
    method: 'PUT',
    url: '/devices/:wg/:device/backup-plan',
    access: can('controlDevices'),
    summary: 'Says how often a backup of a device is made.',
    example: { body: { every: 'day' } },
    schema: { params: onDevice, body: backupPlan, response: { 200: backupPlan } },
  },
  file: {
    method: 'GET',
    url: '/devices/:wg/:device/backups/:backup/file',
    access: can('controlDevices'),
    summary: 'A backup as a file: JSON, packed with gzip.',
    schema: { params: onBackup },
    produces: 'application/gzip',
  },
  restore: {
    method: 'POST',
    url: '/devices/:wg/:device/backups/:backup/restore',
    access: { ...canInPerson('controlDevices'), fresh: true },
    summary:
      'Restores a backup, of this device or of one that it replaces. The device keeps its identity, and is in the old or the new state.',
    schema: { params: onBackup, response: { 200: backupRestored } },
  },
  remove: {
    method: 'DELETE',
    url: '/devices/:wg/:device/backups/:backup',
    access: canInPerson('controlDevices'),
    summary: 'Deletes a backup.',
    schema: { params: onBackup, response: { 200: z.object({}) } },
  },
} as const satisfies Api;
