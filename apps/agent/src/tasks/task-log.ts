import type { Finished } from '../commands/finished.ts';
import { plainLine } from '../services/service-keeper.ts';

const KEPT_LINES = 100;

/** What tasks of run folders said last, until the agent ends. They are named as their source is, `5m/roof`. */
export class TaskLog {
  readonly #said = new Map<string, string[]>();

  heard(source: string, run: Finished): void {
    const at = new Date().toISOString();
    const texts = [...run.stdout.split('\n'), ...run.stderr.split('\n')].filter((line) => line.trim() !== '');
    const lines = [...texts, endOf(run)].map((line) => `${at} ${plainLine(line)}`);
    this.#said.set(source, [...(this.#said.get(source) ?? []), ...lines].slice(-KEPT_LINES));
  }

  lines(source: string): string[] {
    return this.#said.get(source) ?? [];
  }

  forget(source: string): void {
    this.#said.delete(source);
  }
}

function endOf({ error, killed, returnCode }: Finished): string {
  if (error) return `could not be started: ${error}`;
  if (killed) return 'ended: it took too long';
  return returnCode === 0 ? 'done' : `ended with code ${returnCode ?? 'none'}`;
}
