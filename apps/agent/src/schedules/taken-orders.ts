import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isSetpointPath, kindOfPath, providerOfPath } from '@albedo/contract/schedules/schedules.names';
import { z } from 'zod';
import { AskError } from '../link/ask-error.ts';
import { putLasting, readText } from './lasting-file.ts';

/** A time until when something holds, which goes on when the clock of the machine is set back. */
const term = z.object({
  /** Epoch ms. */
  until: z.number(),
  /** What was left of it when it was last written down, ms. */
  leftMs: z.number(),
});
export type Term = z.infer<typeof term>;

/** Of a file; null where there is none. */
const sha256 = z.string().length(64).nullable();
const entry = z.object({ datetime: z.string(), value: z.string() });

/** An order whose file lies there, or is about to. */
const taken = z.object({
  version: z.number().int(),
  sha256,
  /** Of an override: what its file is made of, until when its value holds, and when the cloud said so last (epoch ms). */
  override: z
    .object({ entries: z.array(entry), endsAt: z.number().nullable(), lease: term, saidAt: z.number() })
    .nullable(),
  /**
   * Of a trial: what comes back unless it is confirmed, and the order that it was of. `under`: the trial is not this order
   * but that version, which an override lies over, and whether its end was told.
   */
  trial: term
    .extend({
      before: z.object({ text: z.string().nullable(), sha256, version: z.number().int().nullable() }),
      under: z.object({ version: z.number().int(), isTold: z.boolean() }).nullable().default(null),
    })
    .nullable(),
  /** Why it holds no more; null while it does. */
  end: z.enum(['reverted', 'over']).nullable(),
});
export type Taken = z.infer<typeof taken>;

const known = z.object({
  v: z.literal(1),
  /** The newest order that was taken up, with the SHA-256 of what was signed. */
  newest: z.object({ version: z.number().int(), digest: z.string() }),
  holds: taken.nullable(),
  /** While its file is written. One that is found later was cut off. */
  next: taken.nullable(),
});
export type Known = z.infer<typeof known>;

/** One file for each path, in the folder of the agent's own state, which nothing that comes over the link reads or writes. */
export class TakenOrders {
  readonly #folder: string;
  /** What nobody can read is not in it, and is tried again. */
  readonly #known = new Map<string, Known>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  paths(): string[] {
    const list = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);
    return list(this.#folder)
      .flatMap((provider) =>
        list(join(this.#folder, provider)).map((file) => `${provider}/${file.replace(/\.json$/, '')}`),
      )
      .filter(isSetpointPath);
  }

  /** Throws AskError for a file that nobody can read: an older order could be taken again. */
  read(path: string): Known | null {
    const kept = this.#known.get(path);
    if (kept) return kept;
    const file = this.#fileOf(path);
    const text = readText(file);
    if (text === null) return null;
    try {
      const read = known.parse(JSON.parse(text));
      this.#known.set(path, read);
      return read;
    } catch {
      throw new AskError(
        'unable',
        `${file} is damaged. It says which orders this device has taken: remove it on the device itself.`,
      );
    }
  }

  /** It is on the disk when this returns. */
  save(path: string, of: Known): void {
    putLasting(this.#fileOf(path), JSON.stringify(of), 0o600);
    this.#known.set(path, of);
  }

  #fileOf(path: string): string {
    return join(this.#folder, providerOfPath(path), `${kindOfPath(path)}.json`);
  }
}
