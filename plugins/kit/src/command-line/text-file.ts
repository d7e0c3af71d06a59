import { readFileSync } from 'node:fs';
import { InputError } from './input-error.ts';
import { messageOf } from './log.ts';

/** Throws `InputError` naming the file and what it was to be. */
export function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new InputError(`${what} ${file}: ${messageOf(error)}`);
  }
}
