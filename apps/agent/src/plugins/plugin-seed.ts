import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PRODUCT } from '@albedo/contract/product';
import type { Root } from '../root.ts';

/** Name of the publisher's root in packs and beside programs. */
const SEED = 'plugins-root.json';

/**
 * The publisher's root that this device was given: with the program, which an upgrade replaces, or with its keys. Null
 * on a device that never was.
 */
export function seedOf(root: Root, program: string | undefined): string | null {
  const beside = program && existsSync(program) ? join(dirname(realpathSync(program)), SEED) : null;
  const path = [beside, root.at(`/etc/${PRODUCT}/keys/${SEED}`)].find(
    (one) => one !== null && existsSync(one),
  );
  return path ? readFileSync(path, 'utf8') : null;
}
