import { createHmac } from 'node:crypto';

const STEP_MS = 30_000;

/** What an authenticator app shows `atMs` (RFC 6238: SHA-1, 30 s, six digits); the secret is in base 32. */
export function codeOf(secret: string, atMs = Date.now()): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((char) => alphabet.indexOf(char).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / STEP_MS)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** The code after the one of now: the server takes it too, also when it has just taken the one of now. */
export const nextCodeOf = (secret: string): string => codeOf(secret, Date.now() + STEP_MS);
