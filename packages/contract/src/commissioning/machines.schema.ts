import { z } from 'zod';
import { commissioningIssues } from './commissioning.errors.ts';

/** Programs that read machines and come with every agent pack. */
export const READERS = ['sunspec', 'modbus'] as const;

/** An address or a host name; never something that a program takes for an option. */
export const machineHost = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[A-Za-z0-9][A-Za-z0-9.:_-]*$/, commissioningIssues['issue.machine_host']);

/** Where machines answer: all bus addresses behind one port. */
export const machinePlace = {
  reader: z.enum(READERS),
  host: machineHost,
  port: z.number().int().min(1).max(65_535),
};

export const busAddress = z.number().int().min(0).max(255);

/** What one machine gave: texts as its reader shows them, since both come from the plant. */
export const machineReading = z.object({
  unit: busAddress,
  table: z.string().max(200),
  /** What it says of itself, such as its maker. */
  about: z.array(z.object({ name: z.string().max(200), text: z.string().max(500) })).max(50),
  values: z
    .array(z.object({ name: z.string().max(200), units: z.string().max(40), text: z.string().max(500) }))
    .max(2000),
});
export type MachineReading = z.output<typeof machineReading>;

/** Which registers mean what, as the Modbus plugin reads it. */
export const registerMap = z.string().max(100_000);
