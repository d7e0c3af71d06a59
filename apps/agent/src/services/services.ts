import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PluginService, PluginStep } from '@albedo/contract/plugins/plugins.schema';
import { asItIs, type Change, changeAtOnce, NoPlaceError } from '../changes/at-once.ts';
import type { WayBack } from '../changes/way-back.ts';
import type { Log } from '../log.ts';
import { messageOf } from '../log.ts';
import { splitCsv } from '../parsing/csv.ts';
import { filledFile, hiddenFile, type Kept, keptOfFile } from '../plugins/kept-secrets.ts';
import { installedPlugins, placesOf } from '../plugins/plugin-place.ts';
import { type SecretOption, secretsOf } from '../plugins/plugin-spec.ts';
import type { Root } from '../root.ts';
import { logsBelow } from './log-tails.ts';
import { OwnKeeper } from './own-keeper.ts';
import { hasSystemd } from './plugin-sandbox.ts';
import { pluginOf, type ServiceFileFacts, ServiceFiles, type WantedService } from './service-files.ts';
import type { ServiceKeeper } from './service-keeper.ts';
import { type ChangedFile, ServiceWatch } from './service-watch.ts';
import { SystemdKeeper } from './systemd-keeper.ts';

/** A service that ends so soon after its start has something wrong with its file, ms. */
const SETTLE_MS = 1500;
const TAIL_LINES = 100;

/** Why something about a service or a task was not done, for the person who wants it, and what it was at. */
export class ServiceError extends Error {
  override name = 'ServiceError';
  readonly step: PluginStep | undefined;

  constructor(message: string, step?: PluginStep) {
    super(message);
    this.step = step;
  }
}

/** The services of plugins on this machine: their files, and whoever keeps them running. */
export class Services {
  readonly #root: Root;
  readonly #files: ServiceFiles;
  readonly #keeper: ServiceKeeper;
  readonly #isOwn: boolean;
  readonly #log: Log;
  readonly #watch: ServiceWatch;

  readonly #wayBack: Pick<WayBack, 'begin'> | null;

  constructor(root: Root, log: Log, wayBack: Pick<WayBack, 'begin'> | null = null) {
    this.#root = root;
    this.#wayBack = wayBack;
    this.#files = new ServiceFiles(root);
    this.#log = log;
    this.#watch = new ServiceWatch(this.#files, (file) => this.#takeUp(file));
    this.#isOwn = !hasSystemd(root);
    this.#keeper = this.#isOwn ? new OwnKeeper(log) : new SystemdKeeper(root.at(root.logDirectory));
  }

  /**
   * Starts what the agent keeps itself; units of systemd run already, but for those of files that a change was cut off at,
   * `changed`, which this start has finished.
   */
  start(changed: string[] = []): void {
    for (const file of this.#isOwn ? this.#files.list() : []) {
      const program = file.isDisabled ? null : this.#programOf(file);
      if (program) void this.#keeper.activate(file.name, program);
    }
    const names = changed.flatMap(
      (path) => /^\/etc\/[a-z]+\/services\/(?:[a-z]+\/)?([^/.]+)/.exec(path)?.[1] ?? [],
    );
    for (const name of this.#isOwn ? [] : new Set(names)) {
      void this.#takeUp({ name, file: this.#files.find(name) ?? null });
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
        file: hiddenFile(text, this.#secretsOf(plugin)),
        files,
      })),
    );
  }

  /** The passwords of a service. Throws `ServiceError`. */
  keptOf(plugin: string, name: string): Kept {
    return keptOfFile(this.#demand(plugin, name).text, this.#secretsOf(plugin));
  }

  /** A service file with the passwords that it left as they are. Throws `ServiceError`. */
  filled(plugin: string, file: string, kept: Kept): string {
    try {
      return filledFile(file, this.#secretsOf(plugin), kept);
    } catch (error) {
      throw new ServiceError(messageOf(error));
    }
  }

  /** What is written for a service, after a look at what it says. Throws `ServiceError`. */
  written(service: WantedService): Change['files'] {
    const { name, plugin, text } = service;
    const before = this.#files.find(name);
    if (before && before.plugin !== plugin)
      throw new ServiceError(`${name} is a service of ${before.plugin}`);
    if (pluginOf(text) !== plugin) throw new ServiceError(`each row has ${plugin} in its column _plugin`);
    return this.#files.written(service);
  }

  pathsOf(name: string): string[] {
    return this.#files.pathsOf(name);
  }

  has(name: string): boolean {
    return this.#files.find(name) !== undefined;
  }

  /** Throws `ServiceError`; the file before is back then, and runs as it did. */
  async put({ text, ...service }: WantedService): Promise<void> {
    const { name, plugin, isDisabled } = service;
    const before = this.#files.find(name);
    const kept: Kept = before?.plugin === plugin ? this.keptOf(plugin, name) : () => undefined;
    const files = this.written({ ...service, text: this.filled(plugin, text, kept) });
    await this.change(
      { files, remove: this.pathsOf(name) },
      { ended: [name], started: isDisabled ? null : name },
    );
  }

  /**
   * Changes files at once: what `ended` names ends before the service `started` begins. Where that does not run, everything
   * is as it was, and `ServiceError` is thrown.
   */
  async change(
    { files, remove }: Change,
    { ended, started }: { ended: string[]; started: string | null },
  ): Promise<void> {
    const paths = files.map(({ path }) => path);
    const gone = remove.filter((path) => !paths.includes(path));
    const before = asItIs(this.#root, [...paths, ...gone]);
    const ran = ended.filter((name) => this.#files.find(name)?.isDisabled === false);
    const name = started ?? ended[0] ?? paths[0] ?? '';
    const undo = this.#wayBack?.begin({ kind: 'activity', name, before, after: { files, remove: gone } });
    this.#write({ files, remove: gone }, ended, started);
    let step: PluginStep = 'stop';
    try {
      for (const name of ended) await this.#keeper.deactivate(name);
      if (started === null) return;
      step = ran.includes(started) ? 'restart' : 'activate';
      await this.#activate(started);
    } catch (error) {
      if (started !== null) await this.#keeper.deactivate(started).catch(() => {});
      this.#write(before, ended, started);
      for (const name of ran) await this.#activate(name).catch(() => {});
      undo?.();
      throw new ServiceError(messageOf(error), step);
    }
  }

  #write(todo: Change, ended: string[], started: string | null): void {
    changeAtOnce(this.#root, todo);
    for (const name of started === null ? ended : [...ended, started]) this.#watch.know(name);
  }

  async remove(plugin: string, name: string): Promise<void> {
    this.#demand(plugin, name);
    try {
      await this.change({ files: [], remove: this.pathsOf(name) }, { ended: [name], started: null });
    } catch (error) {
      throw error instanceof NoPlaceError ? error : new ServiceError(messageOf(error), 'remove');
    }
  }

  async removeAll(plugin: string): Promise<void> {
    for (const { name } of this.#of(plugin)) await this.remove(plugin, name);
  }

  /** Ends the services of a plugin for good: their files are put aside until somebody enables them again. */
  async putAside(plugin: string): Promise<void> {
    for (const file of this.#of(plugin)) {
      const { name } = file;
      if (file.isDisabled) continue;
      changeAtOnce(this.#root, {
        files: this.#files.written({ ...file, isDisabled: true }),
        remove: [file.path.slice(this.#root.at('/').length - 1)],
      });
      this.#watch.know(name);
      await this.#keeper.deactivate(name);
    }
  }

  /** Answers which of them ran. */
  async pause(plugin: string): Promise<Set<string>> {
    const ran = new Set<string>();
    for (const { name } of this.#of(plugin)) {
      if (await this.#keeper.isRunning(name)) ran.add(name);
      await this.#keeper.pause(name).catch((error: Error) => {
        throw new ServiceError(`${name}: ${error.message}`, 'stop');
      });
    }
    return ran;
  }

  /** Starts those that do not run. Throws `ServiceError` where one of `demanded`, by default any, ends at once. */
  async resume(plugin: string, demanded?: ReadonlySet<string>): Promise<void> {
    if (!installedPlugins(this.#root).some(({ name }) => name === plugin))
      throw new ServiceError(`${plugin} is not installed on this device`, 'start');
    const begun: string[] = [];
    for (const file of this.#of(plugin)) {
      const { name } = file;
      if (file.isDisabled || (await this.#keeper.isRunning(name))) continue;
      const program = this.#programOf(file);
      if (!program) throw new ServiceError(`${plugin} is not installed`, 'start');
      await this.#keeper.activate(name, program).catch((error: Error) => {
        throw new ServiceError(`${name}: ${error.message}`, 'start');
      });
      begun.push(name);
    }
    if (begun.length > 0) await sleep(SETTLE_MS);
    for (const name of begun) {
      if ((demanded && !demanded.has(name)) || (await this.#keeper.isRunning(name))) continue;
      throw new ServiceError(`${name}: ${await this.#lastWords(name)}`, 'start');
    }
  }

  /** What the service says, and the ends of the files that it wrote last. */
  async logs(plugin: string, name: string): Promise<{ source: string; text: string }[]> {
    const file = this.#demand(plugin, name);
    const said = await this.#keeper.lines(name, TAIL_LINES);
    const written = await logsBelow(this.#root, outputsOf(file.text), plugin);
    return [{ source: name, text: said.join('\n') }, ...written];
  }

  async #activate(name: string): Promise<void> {
    const file = this.#files.find(name);
    const program = file && this.#programOf(file);
    if (!program) throw new ServiceError('its plugin is not installed on this device');
    await this.#keeper.activate(name, program);
    await sleep(SETTLE_MS);
    if (await this.#keeper.isRunning(name)) return;
    throw new ServiceError(await this.#lastWords(name));
  }

  async #lastWords(name: string): Promise<string> {
    const said = await this.#keeper.lines(name, 4);
    return said.map((line) => line.replace(/^\S+ /, '')).join('; ') || 'it ends at once';
  }

  #demand(plugin: string, name: string): ServiceFileFacts {
    const file = this.#files.find(name);
    if (file?.plugin === plugin) return file;
    throw new ServiceError(`there is no service ${name} of ${plugin}`, 'find');
  }

  #programOf({ name, plugin, path }: ServiceFileFacts) {
    const { commands } = placesOf(this.#root);
    const known = installedPlugins(this.#root).find((one) => one.name === plugin);
    return known ? { plugin, command: join(commands, known.binary), file: path, name } : null;
  }

  #secretsOf(plugin: string): SecretOption {
    return secretsOf(this.#root, installedPlugins(this.#root).find(({ name }) => name === plugin)?.binary);
  }

  #of(plugin: string): ServiceFileFacts[] {
    return this.#files.list().filter((one) => one.plugin === plugin);
  }
}

/** The folders that its rows write to. */
function outputsOf(text: string): string[] {
  const rows = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const [header = [], ...targets] = rows.map((line) => splitCsv(line)?.map((cell) => cell.trim()) ?? []);
  const at = header.indexOf('output_directory');
  return [...new Set(targets.map((row) => row[at] ?? '').filter((path) => path.startsWith('/')))];
}
