import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputError } from '../command-line/input-error.ts';

const NAME = /^[a-z][-a-z0-9]*[a-z0-9]$/;
const FOLDER = 'etc/albedo/services';

/**
 * Puts a service file where the agent of this machine takes it up, under the file's own name, and answers its place.
 * Rows that do not say whose they are get the name of the plugin. Throws `InputError`.
 */
export function activateService(file: string, text: string, plugin: string, root: string): string {
  const name = basename(file).replace(/\.csv$/, '');
  if (!NAME.test(name))
    throw new InputError(`${name}: a service is called by small letters, digits and hyphens, such as roof-1`);
  if (!existsSync(join(root, 'etc/albedo')))
    throw new InputError(`there is no agent here: ${join(root, 'etc/albedo')} is missing`);
  const folder = join(root, FOLDER);
  mkdirSync(folder, { recursive: true });
  const place = join(folder, name);
  writeFileSync(`${place}.new`, withPlugin(text, plugin), { mode: 0o640 });
  renameSync(`${place}.new`, place);
  return place;
}

/** The folder below which a program was installed; `/` for one that runs elsewhere. */
export function rootOfProgram(program = process.argv[1] ?? ''): string {
  return /^(.*)\/(?:usr\/lib|opt)\/albedo\/plugins\//.exec(program)?.[1] || '/';
}

function withPlugin(text: string, plugin: string): string {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const isRow = (line: string) => line.trim() !== '' && !line.startsWith('#');
  const header = lines.findIndex(isRow);
  const names = (lines[header] ?? '').split(',').map((cell) => cell.trim());
  if (names.includes('_plugin')) return text;
  return lines
    .map((line, index) => (isRow(line) ? `${index === header ? '_plugin' : plugin},${line}` : line))
    .join('\n');
}
