import { readFileSync } from 'node:fs';
import type { Config } from './config.ts';

/** The authorities of `ALBEDO_CA_FILE`, PEM; null without it. Throws when it cannot be read or holds no certificate. */
export function authorityOf({ caFile }: Pick<Config, 'caFile'>): string | null {
  if (caFile === null) return null;
  const pem = readFileSync(caFile, 'utf8');
  if (!pem.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error('ALBEDO_CA_FILE names a file that holds no certificate.');
  return pem;
}
