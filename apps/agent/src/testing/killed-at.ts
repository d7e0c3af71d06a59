import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Change } from '../changes/at-once.ts';

const CHILD = join(import.meta.dirname, '../changes/at-once.step-child.ts');

/** Has a process of its own make the change below `prefix`, killed at `step`; gives the signal that ended it. */
export async function killedAt(prefix: string, todo: Change, step: string): Promise<NodeJS.Signals | null> {
  const [, signal] = await once(fork(CHILD, [prefix, JSON.stringify(todo), step]), 'exit');
  return signal as NodeJS.Signals | null;
}
