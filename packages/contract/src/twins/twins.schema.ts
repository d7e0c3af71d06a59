import { z } from 'zod';
import { CONFIG_LENGTH } from '../device-config/device-config.schema.ts';

const text = z.string().max(CONFIG_LENGTH);

/** The configuration that a device should have. */
export const desiredConfig = z.object({
  text,
  /** Hexadecimal SHA-256 of the text. */
  hash: z.string(),
  /** Null where nobody chose it: what the device had when it first told. */
  by: z.string().nullable(),
  at: z.number(),
});

/** The configuration that stands on the device, as it told last. */
export const reportedConfig = z.object({ text, hash: z.string(), at: z.number() });

/** What a device should have and what it has; null where nothing is known. Instants are epoch ms. */
export const deviceTwin = z.object({
  desired: desiredConfig.nullable(),
  reported: reportedConfig.nullable(),
  /** Since when they differ; null while they do not. */
  differsSince: z.number().nullable(),
});
export type DeviceTwin = z.infer<typeof deviceTwin>;

export const CONNECTION_DAYS = 7;

/** How the connection of a device was in the last days. */
export const connectionQuality = z.object({
  days: z.number(),
  /** How often it went. */
  drops: z.number(),
  lastDropAt: z.number().nullable(),
});
