import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRODUCT } from '@albedo/contract/product';
import type { PlantDescription } from '@albedo/simulator/plants/plants';
import { viewOf } from './camera-view.ts';

/** The plant that has a camera. */
export const CAMERA_SLUG = 'hilltop';

const FOLDER = '/srv/camera';
const MINUTE_MS = 60_000;
const EVERY_MS = 5 * MINUTE_MS;
/** A new demo has photos of so long, one in so long. */
const PAST_MS = 12 * 60 * MINUTE_MS;
const PAST_EVERY_MS = 15 * MINUTE_MS;
/** The agent has them long before. */
const KEPT_MS = 24 * 60 * MINUTE_MS;
/** Others have the machine between two pictures of the past, ms. */
const PAUSE_MS = 250;

/** Makes the agent of a plant send what its camera writes. */
export function followCamera(root: string): void {
  const file = join(root, `etc/${PRODUCT}/${PRODUCT}.yaml`);
  const text = readFileSync(file, 'utf8');
  if (/^watch:/m.test(text)) return;
  const entry = `  - table: photos\n    source: camera\n    file: ${FOLDER}/*.png\n    send_file: true\n    from: start\n`;
  writeFileSync(file, `${text.trimEnd()}\n\n# Pictures of the camera beside the modules.\nwatch:\n${entry}`);
}

/** A camera that writes what it sees into a folder of the plant's agent, as real ones do. */
export class Camera {
  readonly #folder: string;
  readonly #plant: PlantDescription;
  #timer: NodeJS.Timeout | null = null;
  #due: number[] = [];

  constructor(root: string, plant: PlantDescription) {
    this.#folder = join(root, FOLDER);
    this.#plant = plant;
  }

  start(): void {
    mkdirSync(this.#folder, { recursive: true });
    const now = Date.now();
    const newest = Math.max(now - PAST_MS, ...this.#names().map(timeIn));
    for (let at = Math.ceil(newest / PAST_EVERY_MS) * PAST_EVERY_MS; at < now; at += PAST_EVERY_MS) {
      if (at > newest) this.#due.push(at);
    }
    this.#next();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #next(): void {
    const isPast = this.#due.length > 0;
    this.#timer = setTimeout(
      () => {
        this.#shoot(this.#due.shift() ?? Date.now());
        this.#next();
      },
      isPast ? PAUSE_MS : EVERY_MS - (Date.now() % EVERY_MS),
    );
  }

  /** Under another name first, so that nobody finds half of a picture. */
  #shoot(at: number): void {
    const name = `${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}.png`;
    const [unfinished, path] = [join(this.#folder, '.unfinished'), join(this.#folder, name)];
    writeFileSync(unfinished, viewOf(this.#plant, at));
    utimesSync(unfinished, at / 1000, at / 1000);
    renameSync(unfinished, path);
    for (const old of this.#names()) {
      if (timeIn(old) < Date.now() - KEPT_MS) rmSync(join(this.#folder, old), { force: true });
    }
  }

  #names(): string[] {
    return readdirSync(this.#folder).filter((name) => Number.isFinite(timeIn(name)));
  }
}

/** When the picture was taken, by its name; NaN for what is none. */
function timeIn(name: string): number {
  const [, day, clock] = /^(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d)\.png$/.exec(name) ?? [];
  return Date.parse(`${day}T${clock?.replaceAll('-', ':')}Z`);
}
