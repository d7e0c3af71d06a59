import { X509Certificate } from 'node:crypto';

/** What stands in a certificate. Instants are epoch ms. */
export interface CertificateFacts {
  /** Hexadecimal, small letters, no leading zeros. */
  serial: string;
  /** `CN=…, O=…`. */
  subject: string;
  notBefore: number;
  notAfter: number;
  /** Hexadecimal, small letters, no colons. */
  fingerprintSha256: string;
}

/** Facts of a certificate in PEM. Throws when the text is no certificate. */
export function certificateFacts(pem: string): CertificateFacts {
  const certificate = new X509Certificate(pem);
  return {
    serial: plainSerial(certificate.serialNumber),
    subject: certificate.subject.split('\n').join(', '),
    notBefore: certificate.validFromDate.getTime(),
    notAfter: certificate.validToDate.getTime(),
    fingerprintSha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}

/** A serial number in the one form that we write and compare. */
export function plainSerial(serial: string): string {
  return serial
    .toLowerCase()
    .replaceAll(':', '')
    .replace(/^0+(?=.)/, '');
}
