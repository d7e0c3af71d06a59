import { createHash } from 'node:crypto';
import { kindOfPath, OVERRIDE_LEASE_MS } from '@albedo/contract/schedules/schedules.names';
import {
  CONTROL_SIGNER,
  CONTROL_SIGNING,
  type ControlOrder,
  controlOrder,
} from '@albedo/contract/schedules/schedules.order';
import { parseSetpoint } from '@albedo/contract/schedules/setpoints';
import { compactVerify } from 'jose';
import { AskError } from '../link/ask-error.ts';
import { messageOf } from '../log.ts';
import { commonName, signerOf } from '../trust/signer.ts';

/** So far the clocks of cloud and device may be apart, ms. */
const TOLERANCE_MS = 2 * 60_000;

export interface VerifyOptions {
  /** What this device trusts, PEM. */
  caPem: string;
  device: string;
  now: number;
}

export interface VerifiedOrder extends ControlOrder {
  /** SHA-256 of what it says, whenever it was signed: the same version with another one is another order. */
  digest: string;
}

/**
 * The order, once it is known to be from the cloud of this device, for it, of now, and one that can be obeyed. Whether it is
 * newer than those before is not looked at here. Throws AskError.
 */
export async function verifiedOrder(
  jws: string,
  { caPem, device, now }: VerifyOptions,
): Promise<VerifiedOrder> {
  const payload = await demandSigned(jws, caPem, now);
  let order: ControlOrder;
  try {
    order = controlOrder.parse(JSON.parse(Buffer.from(payload).toString()));
  } catch {
    throw refused('it cannot be read');
  }
  if (order.device !== device) throw refused('it is for another device');
  const clock = `the clock of this device says ${new Date(now).toISOString()}`;
  if (now < order.issuedAt - TOLERANCE_MS) throw refused(`it is of the future: ${clock}`);
  if (now > order.expiresAt + TOLERANCE_MS) throw refused(`it has expired: ${clock}`);
  demandObeyable(order, now);
  const { issuedAt: _, expiresAt: __, ...said } = order;
  return { ...order, digest: createHash('sha256').update(JSON.stringify(said)).digest('hex') };
}

async function demandSigned(jws: string, caPem: string, now: number): Promise<Uint8Array> {
  try {
    const { payload } = await compactVerify(
      jws,
      ({ x5c }) => {
        const certificate = Buffer.from(x5c?.[0] ?? '', 'base64');
        const signer = signerOf(certificate, { caPem, usage: CONTROL_SIGNING, now });
        if (!signer || commonName(signer) !== CONTROL_SIGNER) throw new Error('no signer of orders');
        return signer.publicKey;
      },
      { algorithms: ['ES256'] },
    );
    return payload;
  } catch {
    throw refused('its signature is not that of the cloud of this device');
  }
}

/** When the value of an override gives way to what lies under it; null for none. */
export const leaseOf = ({ entries, endsAt }: Pick<ControlOrder, 'entries' | 'endsAt'>): number | null =>
  entries[1] ? Date.parse(entries[1].datetime) : endsAt;

/** What its own signer would not have signed either; the plugin must never find a file with a fault. */
function demandObeyable(order: ControlOrder, now: number): void {
  const { action, path, entries, endsAt, trialUntil } = order;
  if (action === 'confirm' || action === 'release') return;
  if (endsAt !== null && endsAt <= now) throw refused('its end has passed');
  if (action !== 'renew' && trialUntil !== null && trialUntil <= now) throw refused('its trial is over');
  if (action !== 'schedule') {
    const until = leaseOf(order);
    if (until === null || until > now + OVERRIDE_LEASE_MS + TOLERANCE_MS)
      throw refused('what is set by hand lasts 15 minutes from when the cloud was heard, and not longer');
  }
  let last = Number.NEGATIVE_INFINITY;
  for (const { datetime, value } of entries) {
    const at = Date.parse(datetime);
    if (at <= last) throw refused(`${datetime} is not later than the entry before it`);
    last = at;
    try {
      if (value !== '') parseSetpoint(kindOfPath(path), value);
    } catch (error) {
      throw refused(messageOf(error));
    }
  }
}

const refused = (why: string) => new AskError('refused', `The order is not taken: ${why}.`);
