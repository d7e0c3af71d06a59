import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const HOUSE = join(import.meta.dirname, '../..');
/** What a cloud with its web app is made from. */
const PARTS = ['package.json', 'tsconfig.base.json', 'apps/cloud', 'apps/web', 'packages', 'docs/help'];
const LEFT_OUT = new Set(['node_modules', 'dist', 'data']);

/**
 * A copy of the source tree with a version of its own, built as any release is: nothing but the version's constant
 * differs, and with it the names of the hashed files.
 */
export class Release {
  readonly folder: string;
  readonly version: string;

  constructor(folder: string, version: string) {
    this.folder = folder;
    this.version = version;
  }

  /** What starts its cloud. */
  get main(): string {
    return join(this.folder, 'apps/cloud/src/main.ts');
  }

  async build(): Promise<void> {
    for (const part of PARTS)
      cpSync(join(HOUSE, part), join(this.folder, part), {
        recursive: true,
        filter: (path) => !LEFT_OUT.has(basename(path)),
      });
    this.#link();
    const file = join(this.folder, 'packages/contract/src/product.ts');
    const text = readFileSync(file, 'utf8');
    const constant = /(FRONTEND_VERSION = ')([^']*)/;
    const present = constant.exec(text)?.[2];
    if (present === undefined) throw new Error(`${file} has no version to change.`);
    // The tree's own version is built already.
    const dist = 'apps/web/dist';
    if (present === this.version && existsSync(join(HOUSE, dist))) {
      cpSync(join(HOUSE, dist), join(this.folder, dist), { recursive: true });
      return;
    }
    writeFileSync(file, text.replace(constant, `$1${this.version}`));
    await promisify(execFile)(process.execPath, [join(HOUSE, 'node_modules/vite/bin/vite.js'), 'build'], {
      cwd: join(this.folder, 'apps/web'),
    });
  }

  /** The libraries are those of this tree; packages of ours are those of the copy where it has them. */
  #link(): void {
    const from = join(HOUSE, 'node_modules');
    const to = join(this.folder, 'node_modules');
    mkdirSync(join(to, '@albedo'), { recursive: true });
    for (const name of readdirSync(from))
      if (name !== '@albedo' && name !== '.cache') symlinkSync(join(from, name), join(to, name));
    for (const name of readdirSync(join(from, '@albedo'))) {
      const original = realpathSync(join(from, '@albedo', name));
      const copy = join(this.folder, original.slice(realpathSync(HOUSE).length + 1));
      symlinkSync(existsSync(copy) ? copy : original, join(to, '@albedo', name));
    }
  }
}
