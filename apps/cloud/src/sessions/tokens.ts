import { createPublicKey, type KeyObject } from 'node:crypto';
import { PRODUCT } from '@albedo/contract/product';
import {
  type PendingClaims,
  pendingClaims,
  type SessionClaims,
  sessionClaims,
} from '@albedo/contract/sessions/sessions.schema';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { keysIn } from '../secrets/signing-keys.ts';

export interface OpenedToken {
  claims: SessionClaims | PendingClaims;
  /** When it was made, epoch ms (`iat` has whole seconds only). */
  madeAt: number;
}

/** What tokens of ours are for: the API and the sockets of this installation. */
const AUDIENCE = `${PRODUCT}/api/v1`;

/** True for the claims of a login or enrolment token, which is no session. */
export const isPending = (claims: SessionClaims | PendingClaims): claims is PendingClaims => 'mfa' in claims;

/** Signs and opens tokens. */
export class Tokens {
  readonly #privateKey: KeyObject;
  readonly #publicKeys: KeyObject[];

  /** The first key signs; those after it, which were replaced, still open what they signed. */
  constructor(signingKeysPem: string) {
    const [first, ...others] = keysIn(signingKeysPem);
    if (!first) throw new Error('There is no key for sessions.');
    this.#privateKey = first;
    this.#publicKeys = [first, ...others].map((key) => createPublicKey(key));
  }

  sign(claims: SessionClaims | PendingClaims, madeAt: number): Promise<string> {
    return new SignJWT({ ...claims, madeAt })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
      .setIssuer(PRODUCT)
      .setAudience(AUDIENCE)
      .sign(this.#privateKey);
  }

  /** Null for a token that is expired, changed, of another server, or none at all. */
  async open(token: string): Promise<OpenedToken | null> {
    for (const key of this.#publicKeys) {
      const opened = await this.#openWith(key, token);
      if (opened) return opened;
    }
    return null;
  }

  async #openWith(key: KeyObject, token: string): Promise<OpenedToken | null> {
    try {
      const { payload } = await jwtVerify(token, key, { issuer: PRODUCT, algorithms: ['EdDSA'] });
      if (!isForUs(payload)) return null;
      const claims = ('mfa' in payload ? pendingClaims : sessionClaims).parse(payload);
      return { claims, madeAt: Number(payload.madeAt) };
    } catch {
      // Every fault of a token means the same to its bearer: sign in again.
      return null;
    }
  }
}

/** API tokens live for years, and those that were made before tokens named an audience name none. */
const isForUs = ({ aud, apiToken }: JWTPayload): boolean =>
  aud === AUDIENCE || (aud === undefined && apiToken === true);
