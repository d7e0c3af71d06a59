import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { PRODUCT } from '@albedo/contract/product';
import {
  type PendingClaims,
  pendingClaims,
  type SessionClaims,
  sessionClaims,
} from '@albedo/contract/sessions/sessions.schema';
import { jwtVerify, SignJWT } from 'jose';

/** A new signing key, PEM. */
export function makeSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

export interface OpenedToken {
  claims: SessionClaims | PendingClaims;
  /** When it was made, epoch ms (`iat` has whole seconds only). */
  madeAt: number;
}

/** True for the claims of a login or enrolment token, which is no session. */
export const isPending = (claims: SessionClaims | PendingClaims): claims is PendingClaims => 'mfa' in claims;

/** Signs and opens tokens. */
export class Tokens {
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;

  constructor(signingKeyPem: string) {
    this.#privateKey = createPrivateKey(signingKeyPem);
    this.#publicKey = createPublicKey(this.#privateKey);
  }

  sign(claims: SessionClaims | PendingClaims, madeAt: number): Promise<string> {
    return new SignJWT({ ...claims, madeAt })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
      .setIssuer(PRODUCT)
      .sign(this.#privateKey);
  }

  /** Null for a token that is expired, changed, of another server, or none at all. */
  async open(token: string): Promise<OpenedToken | null> {
    try {
      const { payload } = await jwtVerify(token, this.#publicKey, { issuer: PRODUCT, algorithms: ['EdDSA'] });
      const claims = ('mfa' in payload ? pendingClaims : sessionClaims).parse(payload);
      return { claims, madeAt: Number(payload.madeAt) };
    } catch {
      // Every fault of a token means the same to its bearer: sign in again.
      return null;
    }
  }
}
