import { hash, verify } from '@node-rs/argon2';

/** argon2id with 19 MiB, two passes. Source: OWASP Password Storage Cheat Sheet. */
const ARGON = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The password as it is kept, in PHC form: of its letters, however the keyboard composed them (NFC). */
export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFC'), ARGON);

/** A hash that no password has, of the same cost as a real one. */
const nobody = hashPassword(crypto.randomUUID());

/**
 * True when the password has this hash. Without a hash it takes as long and says false, so that the time of a refusal
 * does not tell whether the address is known.
 */
export async function passwordFits(password: string, passwordHash: string | null): Promise<boolean> {
  const wanted = passwordHash ?? (await nobody);
  const composed = password.normalize('NFC');
  const fits =
    (await verify(wanted, composed)) ||
    // Kept before letters were composed.
    (composed !== password && (await verify(wanted, password)));
  return fits && passwordHash !== null;
}
