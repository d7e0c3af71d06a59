import { existsSync } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PluginService } from '@albedo/contract/plugins/plugins.schema';
import type { Log } from '../log.ts';
import { messageOf } from '../log.ts';
import { splitCsv } from '../parsing/csv.ts';
import { installedPlugins, placesOf } from '../plugins/plugin-place.ts';
import type { Root } from '../root.ts';
import { OwnKeeper } from './own-keeper.ts';
import { pluginOf, type ServiceFileFacts, ServiceFiles } from './service-files.ts';
import { plainLine, type ServiceKeeper } from './service-keeper.ts';
import { type ChangedFile, ServiceWatch } from './service-watch.ts';
import { SystemdKeeper } from './systemd-keeper.ts';

/** A service that ends so soon after its start has something wrong with its file, ms. */
const SETTLE_MS = 1500;
const TAIL_LINES = 100;
const TAIL_BYTES = 64 * 1024;
const MOST_LOGS = 12;

export type WantedService = Omit<ServiceFileFacts, 'path'>;

/** Why a service is not started, for the person who wants it. */
export class ServiceError extends Error {
  override name = 'ServiceError';
}

/** The services of plugins on this machine: their files, and whoever keeps them running. */
export class Services {
  readonly #root: Root;
  readonly #files: ServiceFiles;
  readonly #keeper: ServiceKeeper;
  readonly #isOwn: boolean;
  readonly #log: Log;
  readonly #watch: ServiceWatch;

  constructor(root: Root, log: Log) {
    this.#root = root;
    this.#files = new ServiceFiles(root);
    this.#log = log;
    this.#watch = new ServiceWatch(this.#files, (file) => this.#takeUp(file));
    this.#isOwn = root.prefix !== '/' || !existsSync('/run/systemd/system');
    this.#keeper = this.#isOwn ? new OwnKeeper(log) : new SystemdKeeper(root.at(root.logDirectory));
  }

  /** Starts what the agent keeps itself; units of systemd run already. */
  start(): void {
    for (const file of this.#isOwn ? this.#files.list() : []) {
      const program = file.isDisabled ? null : this.#programOf(file);
      if (program) void this.#keeper.activate(file.name, program);
    }
    this.#watch.start();
  }

  stop(): Promise<void> {
    this.#watch.stop();
    return this.#keeper.stop();
  }

  /** Runs a service that somebody has put, changed or removed on the device itself. */
  async #takeUp({ name, file }: ChangedFile): Promise<void> {
    try {
      const program = file && !file.isDisabled ? this.#programOf(file) : null;
      if (program) await this.#keeper.activate(name, program);
      else await this.#keeper.deactivate(name);
      this.#log.info(`services: ${name} ${program ? 'is taken up' : 'has ended'}, as its file says`);
    } catch (error) {
      this.#log.error(`services: ${name} could not be taken up: ${messageOf(error)}`);
    }
  }

  list(): Promise<PluginService[]> {
    return Promise.all(
      this.#files.list().map(async ({ name, plugin, isDisabled, text, files }) => ({
        name,
        plugin,
        isDisabled,
        isRunning: await this.#keeper.isRunning(name),
        starts: this.#keeper.starts(name),
        file: text,
        files,
      })),
    );
  }

  /** Throws `ServiceError`; the file before is back then, and runs as it did. */
  async put({ plugin, name, text, isDisabled, files }: WantedService): Promise<void> {
    const before = this.#files.find(name);
    if (before && before.plugin !== plugin)
      throw new ServiceError(`${name} is a service of ${before.plugin}`);
    if (pluginOf(text) !== plugin) throw new ServiceError(`each row has ${plugin} in its column _plugin`);
    await this.#keeper.deactivate(name);
    this.#files.put(name, text, isDisabled, files);
    this.#watch.know(name);
    if (isDisabled) return;
    try {
      await this.#activate(name);
    } catch (error) {
      await this.#keeper.deactivate(name);
      if (before) this.#files.put(name, before.text, before.isDisabled, before.files);
      else this.#files.remove(name);
      this.#watch.know(name);
      if (before && !before.isDisabled) await this.#activate(name).catch(() => {});
      throw new ServiceError(messageOf(error));
    }
  }

  async remove(plugin: string, name: string): Promise<void> {
    const file = this.#files.find(name);
    if (!file || file.plugin !== plugin) throw new ServiceError(`there is no service ${name} of ${plugin}`);
    await this.#keeper.deactivate(name);
    this.#files.remove(name);
    this.#watch.know(name);
  }

  async removeAll(plugin: string): Promise<void> {
    for (const { name } of this.#of(plugin)) await this.remove(plugin, name);
  }

  async pause(plugin: string): Promise<void> {
    for (const { name } of this.#of(plugin)) await this.#keeper.pause(name);
  }

  async resume(plugin: string): Promise<void> {
    for (const file of this.#of(plugin)) {
      if (file.isDisabled) continue;
      const program = this.#programOf(file);
      if (!program) throw new ServiceError(`${plugin} is not installed`);
      await this.#keeper.activate(file.name, program);
    }
  }

  /** What the service says, and the ends of the files that it wrote last. */
  async logs(plugin: string, name: string): Promise<{ source: string; text: string }[]> {
    const file = this.#files.find(name);
    if (!file || file.plugin !== plugin) throw new ServiceError(`there is no service ${name} of ${plugin}`);
    const said = await this.#keeper.lines(name, TAIL_LINES);
    const written = await Promise.all(outputsOf(file.text).map((folder) => this.#newest(folder)));
    const newest = written
      .flat()
      .toSorted((a, b) => b.at - a.at)
      .slice(0, MOST_LOGS);
    const texts = newest.map(async ({ path, source }) => ({ source, text: await tailOf(path) }));
    return [{ source: name, text: said.join('\n') }, ...(await Promise.all(texts))];
  }

  async #activate(name: string): Promise<void> {
    const file = this.#files.find(name);
    const program = file && this.#programOf(file);
    if (!program) throw new ServiceError('its plugin is not installed on this device');
    await this.#keeper.activate(name, program);
    await sleep(SETTLE_MS);
    if (await this.#keeper.isRunning(name)) return;
    const said = await this.#keeper.lines(name, 4);
    throw new ServiceError(said.map((line) => line.replace(/^\S+ /, '')).join('; ') || 'it ends at once');
  }

  #programOf({ name, plugin, path }: ServiceFileFacts) {
    const { commands } = placesOf(this.#root);
    const known = installedPlugins(this.#root).find((one) => one.name === plugin);
    return known ? { plugin, command: join(commands, known.binary), file: path, name } : null;
  }

  #of(plugin: string): ServiceFileFacts[] {
    return this.#files.list().filter((one) => one.plugin === plugin);
  }

  /** Files that are captured below an output folder, with when they last grew. */
  async #newest(folder: string): Promise<{ path: string; source: string; at: number }[]> {
    const logs = this.#root.at(this.#root.logDirectory);
    if (folder !== logs && !folder.startsWith(`${logs}/`)) return [];
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    const paths = names.filter((one) => one.endsWith('/latest.csv')).slice(0, 500);
    return Promise.all(
      paths.map(async (one) => {
        const path = join(folder, one);
        const facts = await stat(path).catch(() => null);
        return { path, source: relative(logs, path).replace(/\/latest\.csv$/, ''), at: facts?.mtimeMs ?? 0 };
      }),
    );
  }
}

/** The folders that its rows write to. */
function outputsOf(text: string): string[] {
  const rows = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const [header = [], ...targets] = rows.map((line) => splitCsv(line)?.map((cell) => cell.trim()) ?? []);
  const at = header.indexOf('output_directory');
  return [...new Set(targets.map((row) => row[at] ?? '').filter((path) => path.startsWith('/')))];
}

async function tailOf(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => null);
  if (!file) return '';
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n').filter(Boolean);
    return lines
      .slice(from > 0 ? 1 : 0)
      .slice(-TAIL_LINES)
      .map(plainLine)
      .join('\n');
  } finally {
    await file.close();
  }
}
