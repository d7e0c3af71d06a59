import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { argumentPath, serviceName } from '@albedo/contract/plugins/plugins.schema';
import { PRODUCT } from '@albedo/contract/product';
import { splitCsv } from '../parsing/csv.ts';
import type { Root } from '../root.ts';

export interface ServiceFileFacts {
  name: string;
  plugin: string;
  isDisabled: boolean;
  path: string;
  text: string;
  /** Files that its arguments name, by argument. */
  files: Record<string, string>;
}

/** Service files that name their plugin: those in use, and those put aside in the folder `disabled`. */
export class ServiceFiles {
  readonly #root: Root;
  readonly folder: string;

  constructor(root: Root) {
    this.#root = root;
    this.folder = root.at(`/etc/${PRODUCT}/services`);
  }

  list(): ServiceFileFacts[] {
    return [false, true]
      .flatMap((isDisabled) => this.#in(isDisabled))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  find(name: string): ServiceFileFacts | undefined {
    return this.list().find((one) => one.name === name);
  }

  pathOf(name: string, isDisabled: boolean): string {
    return join(isDisabled ? join(this.folder, 'disabled') : this.folder, name);
  }

  /** The new text under its name, and nothing of the name on the other side. */
  put(name: string, text: string, isDisabled: boolean, files: Record<string, string>): void {
    this.#putFiles(name, files);
    const path = this.pathOf(name, isDisabled);
    mkdirSync(join(this.folder, 'disabled'), { recursive: true });
    writeFileSync(`${path}.new`, text, { mode: 0o640 });
    renameSync(`${path}.new`, path);
    rmSync(this.pathOf(name, !isDisabled), { force: true });
  }

  remove(name: string): void {
    this.#putFiles(name, {});
    for (const isDisabled of [false, true]) rmSync(this.pathOf(name, isDisabled), { force: true });
  }

  /** All files of a service as they are wanted; what is empty or not named any more is gone. */
  #putFiles(name: string, files: Record<string, string>): void {
    for (const option of Object.keys(this.#filesOf(name))) {
      if (!files[option]) rmSync(this.#place(name, option), { force: true });
    }
    for (const [option, text] of Object.entries(files)) {
      if (text === '') continue;
      const path = this.#place(name, option);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}.new`, text, { mode: 0o640 });
      renameSync(`${path}.new`, path);
    }
  }

  #filesOf(name: string): Record<string, string> {
    const folder = dirname(this.#place(name, ''));
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return Object.fromEntries(
      names
        .filter((file) => file.startsWith(`${name}.`) && !file.endsWith('.new'))
        .map((file) => [
          file.slice(name.length + 1),
          readFileSync(join(folder, file), 'utf8').slice(0, 100_000),
        ]),
    );
  }

  #place(name: string, option: string): string {
    return this.#root.at(argumentPath(name, option));
  }

  #in(isDisabled: boolean): ServiceFileFacts[] {
    const folder = isDisabled ? join(this.folder, 'disabled') : this.folder;
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (!entry.isFile() || !serviceName.safeParse(entry.name).success) return [];
      const path = join(folder, entry.name);
      const text = readFileSync(path, 'utf8').slice(0, 100_000);
      const plugin = pluginOf(text);
      return plugin === null
        ? []
        : [{ name: entry.name, plugin, isDisabled, path, text, files: this.#filesOf(entry.name) }];
    });
  }
}

/** What its column `_plugin` says, the same in each row; null where it does not. */
export function pluginOf(text: string): string | null {
  const rows = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => splitCsv(line)?.map((cell) => cell.trim()) ?? []);
  const [header = [], ...targets] = rows;
  const at = header.indexOf('_plugin');
  const named = new Set(targets.map((row) => row[at] ?? ''));
  const [plugin] = named;
  return at >= 0 && named.size === 1 && plugin && /^[a-z][a-z0-9-]*$/.test(plugin) ? plugin : null;
}
