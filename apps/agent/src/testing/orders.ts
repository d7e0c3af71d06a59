import { X509Certificate } from 'node:crypto';
import {
  CONTROL_SIGNER,
  CONTROL_SIGNING,
  type ControlOrder,
  controlOrder,
} from '@albedo/contract/schedules/schedules.order';
import type { Authority } from '@albedo/pki/authority';
import { CompactSign, importPKCS8 } from 'jose';

export const POWER = 'operator/setpoint_activepower';

/** An order of now; what a test does not say is that of a schedule. */
export const orderOf = (
  given: Partial<ControlOrder> & Pick<ControlOrder, 'device' | 'issuedAt'>,
): ControlOrder =>
  controlOrder.parse({
    path: POWER,
    version: 1,
    action: 'schedule',
    entries: [{ datetime: new Date(given.issuedAt).toISOString(), value: '60%' }],
    endsAt: null,
    trialUntil: null,
    expiresAt: given.issuedAt + 120_000,
    ...given,
  });

/** As the cloud signs it, with a key of the authority, or with another one. */
export async function signed(
  order: object,
  authority: Authority,
  { keyPem, certPem }: { keyPem?: string; certPem?: string } = {},
): Promise<string> {
  const signer = await authority.controlSigner(CONTROL_SIGNER, CONTROL_SIGNING);
  const certificate = new X509Certificate(certPem ?? signer.certPem).raw.toString('base64');
  return new CompactSign(Buffer.from(JSON.stringify(order)))
    .setProtectedHeader({ alg: 'ES256', x5c: [certificate] })
    .sign(await importPKCS8(keyPem ?? signer.keyPem, 'ES256'));
}
