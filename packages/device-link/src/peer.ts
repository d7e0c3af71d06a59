import type { TLSSocket } from 'node:tls';

/** Who is at the other end, by the certificate alone. */
export interface Peer {
  /** Common name. */
  device: string;
  /** Organisation. */
  workgroup: string;
  /** Hexadecimal, small letters, no leading zeros. */
  serial: string;
}

export type PeerCheck = { peer: Peer; refusal: null } | { peer: Partial<Peer>; refusal: string };

const SAFE_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Sentences for what OpenSSL says of a certificate. */
const REFUSALS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; check the clocks',
  CERT_REVOKED: 'its certificate was revoked',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is foreign: another authority issued it',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is foreign: another authority issued it',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate is foreign: another authority issued it',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is foreign: another authority issued it',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is foreign: it signed itself',
  CERT_SIGNATURE_FAILURE: 'its certificate is foreign: the signature is not by our authority',
  INVALID_PURPOSE: 'its certificate is not made for a device',
};

/** Checks the peer of a finished handshake. A refusal is a sentence about the device, to be logged. */
export function checkPeer(socket: TLSSocket, now = Date.now()): PeerCheck {
  const certificate = socket.getPeerCertificate();
  const { CN: device, O: workgroup } = certificate?.subject ?? {};
  const serial = certificate?.serialNumber?.toLowerCase().replace(/^0+(?=.)/, '');
  const peer = {
    ...(typeof device === 'string' && { device }),
    ...(typeof workgroup === 'string' && { workgroup }),
    ...(serial && { serial }),
  };
  if (!serial) return { peer, refusal: 'it showed no certificate' };
  if (!socket.authorized) {
    const code = String(socket.authorizationError);
    return { peer, refusal: REFUSALS[code] ?? `its certificate is not accepted (${code})` };
  }
  // A resumed session was verified when it was new; its certificate may have ended since.
  if (Date.parse(certificate.valid_to) < now) return { peer, refusal: 'its certificate has expired' };
  if (typeof device !== 'string' || !SAFE_NAME.test(device) || typeof workgroup !== 'string') {
    return { peer, refusal: 'its certificate names no device and workgroup' };
  }
  return { peer: { device, workgroup, serial }, refusal: null };
}
