import { z } from 'zod';

/** Characters of a configuration. */
export const CONFIG_LENGTH = 400_000;

/** Something that is wrong with a configuration. `line` counts from 1. */
export const configProblem = z.object({
  line: z.number().int().positive().nullable(),
  /** The configuration cannot be used at all; otherwise one entry is left out. */
  isFatal: z.boolean(),
  message: z.string().max(1000),
});
export type ConfigProblem = z.infer<typeof configProblem>;
const problems = z.array(configProblem).max(500);

/** The configuration as it stands on the disk of the device. */
export const deviceConfig = z.object({
  path: z.string().max(1000),
  text: z.string().max(CONFIG_LENGTH),
  /** Hexadecimal SHA-256 of the text. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  problems,
});
export type DeviceConfig = z.infer<typeof deviceConfig>;

export const configCheck = z.object({ isUsable: z.boolean(), problems });
export type ConfigCheck = z.infer<typeof configCheck>;

/** What came of an attempt to apply: what stands on the disk now, read again. */
export const configApplied = configCheck.extend({ isApplied: z.boolean(), config: deviceConfig });
export type ConfigApplied = z.infer<typeof configApplied>;
