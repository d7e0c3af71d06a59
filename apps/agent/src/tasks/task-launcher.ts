import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { argumentPath, type PluginSpec, serviceName } from '@albedo/contract/plugins/plugins.schema';
import { readScript } from '../parsing/task-script.ts';
import { installedPlugins, placesOf } from '../plugins/plugin-place.ts';
import { specOf } from '../plugins/plugin-spec.ts';
import type { Root } from '../root.ts';
import { hasSystemd, letPluginsRead, sandboxOf, shareWithPlugins } from '../services/plugin-sandbox.ts';

/**
 * Says how the files of run folders are started: one that is a single command of a plugin has what a service of that plugin
 * has, where systemd is there to see to it. Everything else runs as the agent does.
 */
export class TaskLauncher {
  readonly #root: Root;
  readonly #hasSystemd: boolean;
  readonly #shared = new Set<string>();

  constructor(root: Root, isSystemd = hasSystemd(root)) {
    this.#root = root;
    this.#hasSystemd = isSystemd;
  }

  /** The command line for a file. Throws what keeps the machine from giving it its rights. */
  async commandFor(path: string, timeoutMs: number): Promise<string> {
    const found = this.#hasSystemd ? pluginOf(this.#root, path) : null;
    if (!found) return quoted(path);
    const { plugin, spec } = found;
    const logs = this.#root.at(this.#root.logDirectory);
    if (!this.#shared.has(plugin)) {
      await shareWithPlugins(logs, spec);
      this.#shared.add(plugin);
    }
    await letPluginsRead([dirname(dirname(path)), dirname(path), path], '750');
    await letPluginsRead(filesOf(this.#root, basename(path)), '640');
    return sandboxedCommand(path, timeoutMs, sandboxOf(plugin, logs, spec));
  }
}

/**
 * The command line by which systemd runs a program to its end and hands on what it says. The unit ends by itself when its
 * time is over, also when the one who waits for it is gone.
 */
export const sandboxedCommand = (path: string, timeoutMs: number, properties: readonly string[]): string =>
  [
    ...['systemd-run', '--quiet', '--pipe', '--wait', '--collect'],
    ...[...properties, `RuntimeMaxSec=${Math.ceil(timeoutMs / 1000)}`].map((one) => `--property=${one}`),
    path,
  ]
    .map(quoted)
    .join(' ');

function pluginOf(root: Root, path: string): { plugin: string; spec: PluginSpec | null } | null {
  const text = readFileSync(path, 'utf8');
  const known = installedPlugins(root).find(({ binary }) => readScript(text, binary) !== null);
  if (!known) return null;
  const command = join(placesOf(root).commands, known.binary);
  return { plugin: known.name, spec: specOf(command) };
}

/** Files that arguments of the task name. */
function filesOf(root: Root, task: string): string[] {
  const folder = dirname(root.at(argumentPath(task, '')));
  if (!serviceName.safeParse(task).success || !existsSync(folder)) return [];
  const mine = readdirSync(folder).filter((file) => file.startsWith(`${task}.`) && !file.endsWith('.new'));
  return mine.map((file) => join(folder, file));
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
