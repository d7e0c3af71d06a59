import { z } from 'zod';
import { onDevice } from '../devices/devices.schema.ts';
import { pluginName, pluginVersion } from '../plugins/plugins.schema.ts';

/** Bytes of one backup as it travels, and how many are kept of a device: asked for, made by plan, made before a restore. */
export const BACKUP_LIMITS = {
  bytes: 16 * 1024 * 1024,
  files: 5000,
  plugins: 200,
  kept: { asked: 20, planned: 14, before: 5 },
} as const;

/** Why it was made: somebody asked, its time had come, or another one was about to be restored. */
export const backupReason = z.enum(['asked', 'planned', 'before']);
export type BackupReason = z.infer<typeof backupReason>;

export const deviceBackup = z.object({
  id: z.uuid(),
  /** The device may be gone. */
  deviceId: z.uuid(),
  deviceName: z.string(),
  /** Epoch ms. */
  at: z.number(),
  by: z.string().nullable(),
  reason: backupReason,
  bytes: z.number(),
  /** Hexadecimal SHA-256 of the file. */
  hash: z.string(),
  files: z.number(),
  /** Saved commands of the device. */
  commands: z.number(),
});
export type DeviceBackup = z.infer<typeof deviceBackup>;

export const backupPlan = z.object({ every: z.enum(['never', 'day', 'week']) });
export type BackupPlan = z.infer<typeof backupPlan>;

export const deviceBackups = z.object({
  /** Newest first. */
  backups: z.array(deviceBackup),
  plan: backupPlan,
  /** Devices with backups, also those that are gone: one may take the place of another. */
  devices: z.array(z.object({ id: z.uuid(), name: z.string() })),
});

export type DeviceBackupList = z.infer<typeof deviceBackups>;

/** A plugin that a device got from the repository. */
export const backedUpPlugin = z.object({ name: pluginName, version: pluginVersion });
export type BackedUpPlugin = z.infer<typeof backedUpPlugin>;

export const backupRestored = z.object({
  files: z.number(),
  commands: z.number(),
  /** Plugins that the device had and has no more; they are being installed. */
  plugins: z.array(backedUpPlugin),
});
export type BackupRestored = z.infer<typeof backupRestored>;

export const onBackup = onDevice.extend({ backup: z.uuid() });
