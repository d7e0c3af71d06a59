import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type Activity,
  argumentPath,
  type OldActivity,
  type PluginTask,
  RUN_INTERVALS,
  type RunInterval,
  serviceName,
  taskName,
} from '@albedo/contract/plugins/plugins.schema';
import { PRODUCT } from '@albedo/contract/product';
import { type Change, changeAtOnce } from '../changes/at-once.ts';
import { isCommentedOut, readScript, runs, scriptOf, uncommented } from '../parsing/task-script.ts';
import { hiddenTask } from '../plugins/kept-secrets.ts';
import { installedPlugins, placesOf } from '../plugins/plugin-place.ts';
import { secretsOf } from '../plugins/plugin-spec.ts';
import type { Root } from '../root.ts';
import { logsBelow } from '../services/log-tails.ts';
import { ServiceError } from '../services/services.ts';
import type { TaskLog } from './task-log.ts';

const RUN = `/opt/${PRODUCT}/run`;
const MOST_BYTES = 100_000;
/** A task may hold passwords. Before it runs, plugins are let read it where they have users of their own. */
const MODE = 0o700;

export interface TaskFile extends PluginTask {
  /** As an installed agent has it. */
  path: string;
  mode: number;
  text: string;
  binary: string;
}

type OnTask = { plugin: string; name: string; frequency: RunInterval };

/** Tasks of plugins: files of the run folders, and of the folder `disabled` in each of them. */
export class Tasks {
  readonly #root: Root;
  readonly #log: TaskLog;

  constructor(root: Root, log: TaskLog) {
    this.#root = root;
    this.#log = log;
  }

  /** Without their passwords. */
  list(): PluginTask[] {
    return this.files().map(({ path: _path, mode: _mode, text: _text, binary, ...task }) => ({
      ...task,
      arguments: task.arguments && hiddenTask(task.arguments, secretsOf(this.#root, binary)),
    }));
  }

  files(): TaskFile[] {
    const plugins = installedPlugins(this.#root);
    const folders = Object.keys(RUN_INTERVALS) as RunInterval[];
    return folders
      .flatMap((frequency) => [`${RUN}/${frequency}`, `${RUN}/${frequency}/disabled`])
      .flatMap((folder) => this.#in(folder, plugins))
      .slice(0, 200);
  }

  /** Throws `ServiceError`. */
  find({ plugin, name, frequency }: OnTask): TaskFile {
    const found = this.files().find(
      (one) => one.plugin === plugin && one.name === name && one.frequency === frequency,
    );
    if (!found) throw new ServiceError(`there is no task ${name} of ${plugin} at ${frequency}`, 'find');
    return found;
  }

  /** Every path that a task has: where it may lie, and the files of its arguments. */
  pathsOf({ name, frequency }: Omit<OnTask, 'plugin'>): string[] {
    const places = [`${RUN}/${frequency}/${name}`, `${RUN}/${frequency}/disabled/${name}`];
    return [...places, ...Object.keys(this.#filesOf(name)).map((option) => argumentPath(name, option))];
  }

  /** The files of a task as it is wanted. Throws `ServiceError` for a plugin that is not there. */
  written(plugin: string, task: Extract<Activity, { type: 'task' }>): Change['files'] {
    const { name, frequency, isDisabled, files } = task;
    const known = installedPlugins(this.#root).find((one) => one.name === plugin);
    if (!known) throw new ServiceError(`${plugin} is not installed on this device`);
    const script = scriptOf(join(placesOf(this.#root).commands, known.binary), task.arguments);
    const path = `${RUN}/${frequency}/${isDisabled ? 'disabled/' : ''}${name}`;
    const given = Object.entries(files).filter(([, text]) => text !== '');
    return [
      ...given.map(([option, text]) => ({
        path: argumentPath(name, option),
        mode: 0o640,
        content: base64(text),
      })),
      { path, mode: MODE, content: base64(script) },
    ];
  }

  /** Puts a task aside, or takes it up again, without another word in it. */
  switch(on: OnTask, isDisabled: boolean): void {
    const { path, text, mode, binary, name, frequency } = this.find(on);
    const to = `${RUN}/${frequency}/${isDisabled ? 'disabled/' : ''}${name}`;
    const said = isDisabled || !isCommentedOut(text, binary) ? text : uncommented(text, binary);
    const file = { path: to, mode: isDisabled ? mode : mode | 0o100, content: base64(said) };
    changeAtOnce(this.#root, { files: [file], remove: path === to ? [] : [path] });
  }

  remove(on: OnTask): void {
    this.find(on);
    changeAtOnce(this.#root, { files: [], remove: this.pathsOf(on) });
  }

  removeAll(plugin: string): void {
    for (const one of this.files()) if (one.plugin === plugin) this.remove(one);
  }

  /** What the task said, and the ends of the files that it wrote last. */
  async logs(on: OnTask): Promise<{ source: string; text: string }[]> {
    const task = this.find(on);
    const said = this.#log.lines(`${task.frequency}/${task.name}`);
    const words = [...(task.arguments?.mandatory ?? []), ...Object.values(task.arguments?.optional ?? {})];
    const written = await logsBelow(
      this.#root,
      words.filter((word) => word.startsWith('/')),
      task.plugin,
    );
    return [{ source: task.name, text: said.join('\n') }, ...written];
  }

  #in(folder: string, plugins: ReturnType<typeof installedPlugins>): TaskFile[] {
    const place = this.#root.at(folder);
    if (!existsSync(place)) return [];
    const isAside = basename(folder) === 'disabled';
    const frequency = basename(isAside ? dirname(folder) : folder) as RunInterval;
    return readdirSync(place).flatMap((name) => {
      const facts = lstatSync(join(place, name), { throwIfNoEntry: false });
      if (!facts?.isFile() || facts.size > MOST_BYTES || !taskName.safeParse(name).success) return [];
      const text = readFileSync(join(place, name), 'utf8');
      const plugin = plugins.find(({ binary }) => runs(text, binary));
      if (!plugin) return [];
      const isOff = (facts.mode & 0o111) === 0 || isCommentedOut(text, plugin.binary);
      return [
        {
          ...{ name, plugin: plugin.name, binary: plugin.binary, frequency, text },
          ...{ path: `${folder}/${name}`, mode: facts.mode & 0o777 },
          isDisabled: isAside || isOff,
          arguments: readScript(text, plugin.binary),
          files: this.#filesOf(name),
        },
      ];
    });
  }

  /** Only a name that a form may choose has files of arguments. */
  #filesOf(name: string): Record<string, string> {
    const folder = dirname(this.#root.at(argumentPath(name, '')));
    if (!serviceName.safeParse(name).success || !existsSync(folder)) return {};
    const mine = readdirSync(folder).filter((file) => file.startsWith(`${name}.`) && !file.endsWith('.new'));
    const read = (file: string) => readFileSync(join(folder, file), 'utf8').slice(0, MOST_BYTES);
    return Object.fromEntries(mine.map((file) => [file.slice(name.length + 1), read(file)]));
  }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Whether this is the activity that is meant. */
export const isSame = (one: OldActivity, other: OldActivity): boolean =>
  one.type === other.type &&
  one.name === other.name &&
  (one.type === 'service' || (other.type === 'task' && one.frequency === other.frequency));
