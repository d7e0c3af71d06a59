import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Config } from '../config/config.ts';
import { KeyError, KeyRing } from './key-ring.ts';

const run = promisify(execFile);
/** A key management service has so long to answer, ms. */
const COMMAND_MS = 30_000;
const SHORTEST_KEY = 32;

type Source = Pick<Config, 'key' | 'keyFile' | 'keyCommand'>;

/** The keys that the configuration names; an empty ring where it names none. Throws `KeyError`. */
export async function openKeyRing(source: Source): Promise<KeyRing> {
  return new KeyRing(await readKeys(source), () => readKeys(source));
}

/** Keys by the place that the configuration names: the first one seals, those behind it still open. Throws `KeyError`. */
export async function readKeys({ key, keyFile, keyCommand }: Source): Promise<string[]> {
  if (keyFile !== null) return keysIn(await contentOf(keyFile), `The file ${keyFile} of ALBEDO_KEY_FILE`);
  if (keyCommand !== null) return keysIn(await outputOf(keyCommand), 'What ALBEDO_KEY_COMMAND prints');
  return key === null ? [] : keysIn(key, 'ALBEDO_KEY');
}

function keysIn(text: string, place: string): string[] {
  const keys = text.split(/\s+/).filter(Boolean);
  if (keys.length === 0) throw new KeyError(`${place} holds no key.`);
  if (keys.some((one) => one.length < SHORTEST_KEY))
    throw new KeyError(
      `${place} holds a key of less than ${SHORTEST_KEY} characters; "albedo keys new" prints one.`,
    );
  return keys;
}

const contentOf = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new KeyError(
      `The file ${path} of ALBEDO_KEY_FILE cannot be read (${error.code ?? error.message}).`,
    );
  });

async function outputOf(command: string): Promise<string> {
  try {
    return (await run('/bin/sh', ['-c', command], { timeout: COMMAND_MS, encoding: 'utf8' })).stdout;
  } catch (error) {
    // Never what it printed: that may be the key.
    const { code, killed } = error as { code?: number | string; killed?: boolean };
    const how = killed ? `took longer than ${COMMAND_MS / 1000} s` : `ended with ${code}`;
    throw new KeyError(`ALBEDO_KEY_COMMAND ${how}.`);
  }
}
