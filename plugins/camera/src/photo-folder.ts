import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Picture } from './picture.ts';

const OWN = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}\.(?:jpg|png|gif|webp|bmp)$/;

/** Photos of one camera, of which the newest stay. The agent copies each as soon as it is there. */
export class PhotoFolder {
  readonly path: string;
  readonly #keep: number;

  constructor(path: string, keep: number) {
    this.path = path;
    this.#keep = keep;
  }

  /** Answers the name. It has another one until it is complete, so that nobody finds half of it. */
  add({ bytes, kind }: Picture, at: number): string {
    // Whoever may write captured files also clears up what a command of the agent left here, and the other way round.
    const first = mkdirSync(this.path, { recursive: true });
    for (let made = this.path; first && made.length >= first.length; made = dirname(made))
      chmodSync(made, 0o2775);
    const name = `${new Date(at).toISOString().slice(0, 23).replaceAll(/[:.]/g, '-')}.${kind}`;
    const unfinished = join(this.path, `.${name}.${process.pid}`);
    writeFileSync(unfinished, bytes, { mode: 0o664 });
    renameSync(unfinished, join(this.path, name));
    this.#clear();
    return name;
  }

  #clear(): void {
    const all = readdirSync(this.path)
      .filter((name) => OWN.test(name))
      .toSorted();
    for (const name of all.slice(0, -this.#keep)) rmSync(join(this.path, name), { force: true });
  }
}
