import { X509Certificate } from 'node:crypto';
import {
  CONTROL_SIGNER,
  CONTROL_SIGNING,
  type ControlOrder,
  controlOrder,
} from '@albedo/contract/schedules/schedules.order';
import { CompactSign, importPKCS8 } from 'jose';

/** An order may be taken for so long after it was signed, ms. */
const ORDER_LIFE_MS = 120_000;

type Unsigned = Omit<ControlOrder, 'issuedAt' | 'expiresAt'>;

export interface SignerPair {
  keyPem: string;
  certPem: string;
}

/** Signs an order: compact JWS with the certificate in its header. */
export async function signOrder(
  order: Unsigned,
  { keyPem, certPem }: SignerPair,
  now: number,
): Promise<string> {
  const payload = controlOrder.parse({ ...order, issuedAt: now, expiresAt: now + ORDER_LIFE_MS });
  const certificate = new X509Certificate(certPem).raw.toString('base64');
  return new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'ES256', x5c: [certificate] })
    .sign(await importPKCS8(keyPem, 'ES256'));
}

/** Of the certificate that signs. */
export const SIGNER = { commonName: CONTROL_SIGNER, usage: CONTROL_SIGNING } as const;
