import { z } from 'zod';
import { isSetpointPath, SCHEDULE_LIMITS } from './schedules.names.ts';

/**
 * What the cloud orders a device to do with one setpoint: the payload of a compact JWS (ES256). Its header has `x5c` with
 * a certificate for `CONTROL_SIGNING`, of the authority that the device trusts for its connection. A device takes nothing else.
 */
export const controlOrder = z.object({
  /** Common name of the certificate of the device. */
  device: z.uuid(),
  path: z.string().refine(isSetpointPath),
  /** Higher than that of every order to this path before; the same one again is answered as it was, and changes nothing. */
  version: z.number().int().min(1),
  /**
   * `schedule` and `override` replace what holds; `release` takes the file away; `confirm` ends the trial of `version`;
   * `renew` prolongs the lease of an override, with its version.
   */
  action: z.enum(['schedule', 'override', 'release', 'confirm', 'renew']),
  /** UTC and values; the file of the setpoint is made of them. */
  entries: z
    .array(z.object({ datetime: z.iso.datetime(), value: z.string().max(60) }))
    .max(SCHEDULE_LIMITS.entries),
  /** Epoch ms, when nothing holds any more, also without the cloud; null: until another order. */
  endsAt: z.number().nullable(),
  /** Epoch ms: unless `confirm` came by then, the device puts back what was before, by itself. */
  trialUntil: z.number().nullable(),
  /** Epoch ms. The order is not taken before or after; the device allows for clocks that differ by two minutes. */
  issuedAt: z.number(),
  expiresAt: z.number(),
});
export type ControlOrder = z.infer<typeof controlOrder>;

/** Common name of the certificate whose key signs orders, and the extended use of that key (a private arc under UUID 2.25). */
export const CONTROL_SIGNER = 'albedo-control';
export const CONTROL_SIGNING = '2.25.119735421306420134.1';

/** An order as it travels. */
export const signedOrder = z
  .string()
  .max(1_500_000)
  .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/);
