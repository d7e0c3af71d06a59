import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** What an authority lets a key be used for, by the number of the extended key usage. */
export const CODE_SIGNING = '1.3.6.1.5.5.7.3.3';

export interface SignerOptions {
  /** What this device trusts, PEM. */
  caPem: string;
  /** Number of the extended key usage. */
  usage: string;
  /** Epoch ms. */
  now: number;
}

/**
 * The certificate of a key that the authority of this device lets sign for one purpose, and for that one alone: neither
 * another device nor the server's own key has one. Null for any other, and for what cannot be read.
 */
export function signerOf(
  certificate: string | Buffer,
  { caPem, usage, now }: SignerOptions,
): X509Certificate | null {
  try {
    const ca = new X509Certificate(caPem);
    const signer = new X509Certificate(certificate);
    const isGood =
      signer.verify(ca.publicKey) &&
      signer.checkIssued(ca) &&
      !signer.ca &&
      (signer.keyUsage ?? []).includes(usage) &&
      signer.validFromDate.getTime() <= now &&
      signer.validToDate.getTime() >= now;
    return isGood ? signer : null;
  } catch {
    return null;
  }
}

export const commonName = (certificate: X509Certificate): string =>
  /^CN=(.+)$/m.exec(certificate.subject)?.[1] ?? '';

/** Files with the authority that this device trusts and with its own certificate. */
export interface TrustFiles {
  caFile: string;
  certFile: string;
}

/** Throws what is wrong with the files. */
export const readTrust = ({ caFile, certFile }: TrustFiles): { caPem: string; device: string } => ({
  caPem: readFileSync(caFile, 'utf8'),
  device: commonName(new X509Certificate(readFileSync(certFile))),
});
