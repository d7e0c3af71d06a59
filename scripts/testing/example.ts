import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const HOUSE = resolve(import.meta.dirname, '../..');
const PAGE = 'docs/add-a-feature.md';
const CACHE = join(HOUSE, 'node_modules/.cache/example');

/** The parts of the house that are compiled by themselves, with the code of the page that belongs to them. */
const PARTS = {
  server: {
    config: 'tsconfig.json',
    holds: (path: string) => /^(?:packages|apps\/cloud)\//.test(path),
    files: 6,
  },
  web: {
    config: 'apps/web/tsconfig.json',
    holds: (path: string) => /^(?:packages|apps\/web)\//.test(path),
    files: 5,
  },
  journeys: { config: 'e2e/tsconfig.json', holds: (path: string) => path.startsWith('e2e/'), files: 1 },
} as const;
export type Part = keyof typeof PARTS;

/**
 * Writes the code of the page that leads through a feature beside the house, and answers a configuration that compiles it
 * with a part of the house, as if each block were the file that its first line names.
 */
export function withExample(part: Part): string {
  const { config, holds, files: expected } = PARTS[part];
  const shadow = join(CACHE, part);
  rmSync(shadow, { recursive: true, force: true });
  const page = readFileSync(join(HOUSE, PAGE), 'utf8');
  const files: string[] = [];
  for (const [, path = '', code = ''] of page.matchAll(/^```tsx?\n\/\/ (\S+)\n(.*?)^```$/gms)) {
    if (!holds(path)) continue;
    const file = join(shadow, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
    files.push(file);
  }
  if (files.length < expected) throw new Error(`${PAGE} has ${files.length} files of the part ${part}.`);
  const compilerOptions = {
    rootDirs: [HOUSE, shadow],
    paths: { '@albedo/contract/notes/*': [join(shadow, 'packages/contract/src/notes/*.ts')] },
  };
  const written = join(shadow, 'tsconfig.json');
  writeFileSync(written, JSON.stringify({ extends: join(HOUSE, config), compilerOptions, files }));
  return written;
}
