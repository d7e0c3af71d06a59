import { basename } from 'node:path';
import { KEPT_FOR_MS, keeperAnswer, keptWord } from '@albedo/contract/cloud-devices/keeper.schema';
import { READERS } from '@albedo/contract/commissioning/machines.schema';
import { PRODUCT } from '@albedo/contract/product';
import type { Finished } from './finished.ts';

/** The longest that a keeper lets a plugin run, ms. */
const LONGEST_MS = 600_000;
const NOTHING = { stdout: '', stderr: '', returnCode: null, killed: false, pid: null };

const waiting = new Map<string, (finished: Finished) => void>();
let isListening = false;

/**
 * Ends the agent of a cloud device when whoever keeps it is gone, or has said nothing for so long that another one may
 * begin the device: there are never two agents of it.
 */
export function whenUnkept(end: () => void): void {
  const timer = setTimeout(end, KEPT_FOR_MS);
  process.on('message', (message) => {
    if (keptWord.safeParse(message).success) timer.refresh();
  });
  process.on('disconnect', end);
}

/** Has the keeper of this agent run a command line, as far as it is one of a plugin. Never throws. */
export function runByKeeper(command: string, timeoutMs: number): Promise<Finished> {
  const [program = '', ...args] = wordsOf(command) ?? [];
  return runPluginByKeeper(program, args, timeoutMs);
}

/** As `runByKeeper`, of a program and its arguments. */
export function runPluginByKeeper(program: string, args: string[], timeoutMs: number): Promise<Finished> {
  const plugin = READERS.find((name) => basename(program) === `${name}_${PRODUCT}`);
  if (!plugin || !process.send)
    return Promise.resolve({ ...NOTHING, error: 'a cloud device runs the plugins of its pack only' });
  listen();
  const id = crypto.randomUUID();
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    process.send?.({ id, plugin, args, timeoutMs: Math.min(timeoutMs, LONGEST_MS) });
  });
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  process.on('message', (message) => {
    const { data } = keeperAnswer.safeParse(message);
    if (!data) return;
    const { id, ...finished } = data;
    waiting.get(id)?.({ ...finished, pid: null });
    waiting.delete(id);
  });
}

/** The words of a command line without anything that only a shell understands; null where it has such. */
export function wordsOf(command: string): string[] | null {
  const words: string[] = [];
  const rest = command.trim();
  const word = /(?:'[^']*'|[\w./:,@=+-])+\s*/y;
  while (word.lastIndex < rest.length) {
    const found = word.exec(rest)?.[0];
    if (found === undefined) return null;
    words.push(found.trimEnd().replaceAll("'", ''));
  }
  return words;
}
