import { existsSync, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type InstalledPlugin, RUST_BYTES } from '@albedo/contract/plugins/plugins.schema';
import { PRODUCT } from '@albedo/contract/product';
import { runs } from '../parsing/task-script.ts';
import type { Root } from '../root.ts';

/** Where plugins lie below a root. */
export const placesOf = ({ at }: Root) => ({
  /** `<plugin>/<version>-<hash>/`, each a package as it was unpacked. */
  packages: at(`/opt/${PRODUCT}/plugins`),
  /** Where commands are: a link into a package, or a script for what came with the agent. */
  commands: at('/usr/local/bin'),
  /** Programs that came with the agent pack. */
  packed: at(`/usr/lib/${PRODUCT}/plugins`),
  trust: at(`/var/lib/${PRODUCT}/plugin-trust`),
  incoming: at(`/var/lib/${PRODUCT}/incoming`),
  run: at(`/opt/${PRODUCT}/run`),
});

const SUFFIX = `_${PRODUCT}`;
const LINK = /\/([a-z][a-z0-9-]*)\/(\d+\.\d+\.\d+)-[0-9a-f]{8}\/run$/;

/** The folder of the package that a command runs; null for one that came with the agent, or is not there. */
export function packageOf(command: string): { name: string; version: string; folder: string } | null {
  let target: string;
  try {
    target = readlinkSync(command);
  } catch {
    return null;
  }
  const [, name, version] = LINK.exec(target) ?? [];
  return name && version ? { name, version, folder: dirname(target) } : null;
}

/** What is installed: each command that ends as plugins do and runs. */
export function installedPlugins(root: Root): InstalledPlugin[] {
  const { commands, packed } = placesOf(root);
  const names = existsSync(commands) ? readdirSync(commands) : [];
  return names
    .filter((binary) => !binary.startsWith('.') && binary.endsWith(SUFFIX))
    .toSorted()
    .flatMap((binary) => {
      const command = join(commands, binary);
      const own = packageOf(command);
      if (!own && !lstatSync(command).isFile()) return [];
      const program = join(own?.folder ?? packed, `${binary}.mjs`);
      const sizeBytes = statSync(program, { throwIfNoEntry: false })?.size ?? 0;
      if (own && sizeBytes === 0) return [];
      const name = own?.name ?? binary.slice(0, -SUFFIX.length);
      const isRust = name === 'modbus' && sizeBytes > RUST_BYTES;
      return [{ name, version: own?.version ?? null, binary, sizeBytes, isRust }];
    });
}

/** Tasks whose command is that of a plugin: files of the run folders that name it. */
export function taskFilesOf(root: Root, binary: string, read: (path: string) => string): string[] {
  const { run } = placesOf(root);
  const folders = existsSync(run) ? readdirSync(run).map((name) => join(run, name)) : [];
  return folders
    .flatMap((folder) => [folder, join(folder, 'disabled')])
    .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => {
      const facts = lstatSync(path);
      if (!facts.isFile() || facts.size > 100_000) return false;
      return runs(read(path), binary);
    });
}
