import { PRODUCT_NAME } from '@albedo/contract/product';
import { generateSecret, generateURI, verify } from 'otplib';

export const makeSecret = (): string => generateSecret();

/** `otpauth:` address that an authenticator app reads from the QR code. */
export const setupUri = (email: string, secret: string): string =>
  generateURI({ issuer: PRODUCT_NAME, label: email, secret });

/**
 * The codes of the steps before and after count too: typing takes its time (RFC 6238, section 5.2), and the clock of a
 * phone or of the server may be a little off (section 6), which must lock nobody out.
 */
const TOLERANCE_S = 30;

/** Time step of a right code; null for a wrong one, and for one that is not newer than `lastStep`. */
export async function stepOf(code: string, secret: string, lastStep: number | null): Promise<number | null> {
  const result = await verify({ secret, token: code, epochTolerance: TOLERANCE_S });
  if (!result.valid || !('timeStep' in result)) return null;
  return lastStep === null || result.timeStep > lastStep ? result.timeStep : null;
}
