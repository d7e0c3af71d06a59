import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { argumentPath, serviceName } from '@albedo/contract/plugins/plugins.schema';
import { PRODUCT } from '@albedo/contract/product';
import type { Change } from '../changes/at-once.ts';
import { splitCsv } from '../parsing/csv.ts';
import type { Root } from '../root.ts';

const FOLDER = `/etc/${PRODUCT}/services`;

export interface ServiceFileFacts {
  name: string;
  plugin: string;
  isDisabled: boolean;
  path: string;
  text: string;
  /** Files that its arguments name, by argument. */
  files: Record<string, string>;
}

export type WantedService = Omit<ServiceFileFacts, 'path'>;

/** Service files that name their plugin: those in use, and those put aside in the folder `disabled`. */
export class ServiceFiles {
  readonly #root: Root;
  readonly folder: string;

  constructor(root: Root) {
    this.#root = root;
    this.folder = root.at(FOLDER);
  }

  list(): ServiceFileFacts[] {
    return [false, true]
      .flatMap((isDisabled) => this.#in(isDisabled))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  find(name: string): ServiceFileFacts | undefined {
    return this.list().find((one) => one.name === name);
  }

  /** The files of a service as it is wanted. */
  written({ name, text, isDisabled, files }: WantedService): Change['files'] {
    const given = Object.entries(files).filter(([, content]) => content !== '');
    return [
      ...given.map(([option, content]) => changed(argumentPath(name, option), content)),
      changed(`${FOLDER}/${isDisabled ? 'disabled/' : ''}${name}`, text),
    ];
  }

  /** Every path that a service has: where it may lie, and the files of its arguments. */
  pathsOf(name: string): string[] {
    const named = Object.keys(this.#filesOf(name)).map((option) => argumentPath(name, option));
    return [`${FOLDER}/${name}`, `${FOLDER}/disabled/${name}`, ...named];
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

const changed = (path: string, text: string) => ({
  path,
  mode: 0o640,
  content: Buffer.from(text).toString('base64'),
});

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
