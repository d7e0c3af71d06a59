// The library resolves its parts through decorator metadata, so this import has to come first.
import 'reflect-metadata';
import { cryptoProvider, PemConverter, X509CertificateGenerator } from '@peculiar/x509';
import type { KeyPairPem } from './key-files.ts';

cryptoProvider.set(crypto);

const YEAR_MS = 365 * 86_400_000;
const BACKDATE_MS = 3_600_000;
/** RSA, because identity providers of all ages can check it. */
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 3072,
  publicExponent: new Uint8Array([1, 0, 1]),
} as const;

/** A new RSA key and a certificate of its own, which says nothing but its name; for signing, not for TLS. */
export async function makeSelfSigned(name: string, years: number, now = Date.now()): Promise<KeyPairPem> {
  const keys = await crypto.subtle.generateKey(RSA, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [name] }],
    notBefore: new Date(now - BACKDATE_MS),
    notAfter: new Date(now + years * YEAR_MS),
    keys,
    signingAlgorithm: RSA,
  });
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { certPem: certificate.toString('pem'), keyPem: PemConverter.encode(key, 'PRIVATE KEY') };
}
