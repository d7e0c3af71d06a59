import { readFileSync } from 'node:fs';
import type { Config } from './config.ts';

/** With what this server shows others who it is, PEM. */
export interface OwnCertificate {
  cert: string;
  key: string;
}

/** The authorities of `ALBEDO_CA_FILE`, PEM; null without it. Throws when it cannot be read or holds no certificate. */
export function authorityOf({ caFile }: Pick<Config, 'caFile'>): string | null {
  if (caFile === null) return null;
  const pem = readFileSync(caFile, 'utf8');
  if (!pem.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error('ALBEDO_CA_FILE names a file that holds no certificate.');
  return pem;
}

/** Certificate and key of `ALBEDO_CERT_FILE`; null without it. Throws when it cannot be read or lacks one of both. */
export function ownCertificate({ certFile }: Pick<Config, 'certFile'>): OwnCertificate | null {
  if (certFile === null) return null;
  const pem = readFileSync(certFile, 'utf8');
  if (!pem.includes('-----BEGIN CERTIFICATE-----') || !/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem))
    throw new Error('ALBEDO_CERT_FILE must name a file that holds a certificate and its key.');
  return { cert: pem, key: pem };
}
