import { randomBytes } from 'node:crypto';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** 32 letters and digits (160 bits) that are not taken for one another. */
export const makeRecoveryCode = (): string =>
  [...randomBytes(32)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
