import { mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SETPOINT_KINDS, setpointText } from '@albedo/contract/schedules/setpoints';
import type { Arguments } from '@albedo/plugin-kit/command-line/arguments';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { type Log, messageOf } from '@albedo/plugin-kit/command-line/log';
import { readText } from '@albedo/plugin-kit/command-line/text-file';
import { takePidFile } from '@albedo/plugin-kit/locks/pid-file';
import type { Plugin, Purpose, Reader } from '@albedo/plugin-kit/plugin';
import type { PluginRecord } from '@albedo/plugin-kit/records/record';
import { rootOfProgram } from '@albedo/plugin-kit/services/activate-service';
import type { ServiceRow } from '@albedo/plugin-kit/services/service-file';
import { type ControlConfig, parseConfig } from './config.ts';
import { Controller } from './controller.ts';
import { FolderBell } from './folder-bell.ts';
import { Journal } from './journal.ts';
import { KeptState } from './kept-state.ts';
import { Provider, scheduleFile } from './providers.ts';
import { rehearse } from './rehearsal.ts';
import { parseSchedule } from './schedule.ts';
import { StatusFile } from './status-file.ts';

const FOLDER = '/opt/albedo/plugins-config/pv-control';

/** What the form begins with. */
const SAMPLE =
  '{providers: [{name: operator, type: schedule}], inverters: [{name: inv-1, endpoint: 10.0.0.5, unit: 1}]}';

export const pvControlPlugin: Plugin = {
  name: 'pv_control_albedo',
  summary: 'Holds a solar plant at setpoints of active power, cos phi and reactive power.',
  positionals: ['config_file'],
  options: {
    folder: {
      kind: 'text',
      default: '',
      help: 'folder of schedules and of what inverters had before; by default that of control.yaml',
    },
  },
  package: {
    name: 'pv-control',
    title: 'PV control',
    labels: ['control'],
    uses: { paths: [FOLDER] },
    arguments: {
      config_file: {
        type: 'fileContent',
        directory: FOLDER,
        default: SAMPLE,
        help: 'control.yaml: providers of setpoints, the most important first, and inverters',
      },
    },
  },
  open: (args, log, purpose) => new ControlReader(args, log, purpose),
  browse,
  acts: {
    rehearse: {
      words: ['config_file', 'path'],
      help: 'what a schedule on its input would put into each inverter, as JSON; nothing is written',
      run: rehearseInput,
    },
  },
};

/** Every path of a setpoint that the device has, for whoever plans with it: path, type, enabled, value now, file. */
async function* browse(args: Arguments): AsyncGenerator<string> {
  const { config, schedules } = read(filesOf(args));
  yield 'path,type,enabled,value,file,fault';
  for (const provider of config.providers.map((one) => new Provider(one, schedules))) {
    const { name, type } = provider.config;
    const faults = provider.refresh(Date.now());
    for (const kind of SETPOINT_KINDS) {
      const setpoint = provider.value(kind, Date.now());
      const fault = faults.find((one) => one.kind === kind)?.message ?? '';
      const value = setpoint ? setpointText(setpoint) : '';
      const file = type === 'schedule' ? scheduleFile(schedules, name, kind) : '';
      yield [`${name}/${kind}`, type, provider.isEnabled(kind), value, quoted(file), quoted(fault)].join(',');
    }
  }
}

const quoted = (text: string): string =>
  /[",\\\n]/.test(text) ? `"${text.replaceAll('"', '""').replaceAll('\n', ' ')}"` : text;

/** The entries come as a schedule on the standard input. */
async function rehearseInput(
  [file = '', path = '']: string[],
  rows: readonly ServiceRow[],
  signal: AbortSignal,
): Promise<string> {
  const kind = SETPOINT_KINDS.find((one) => path.endsWith(`/${one}`));
  const row = rows.find(({ args }) => args.text('config_file') === file);
  const { config, folder } = read(row ? filesOf(row.args) : filesOfConfig(file));
  const provider = config.providers.find(({ name }) => `${name}/${kind}` === path);
  if (!kind || !provider) throw new InputError(`there is no setpoint ${path}`);
  const entries = parseSchedule(kind, await text(process.stdin), 'input');
  const state = new KeptState(join(folder, 'state.json'));
  state.load();
  return JSON.stringify(
    await rehearse({ config, state, folder }, kind, entries, { now: Date.now(), signal }),
  );
}

/** In a service the plant is controlled all the time, at its own interval; each reading tells what was done since. */
class ControlReader implements Reader {
  readonly #files: Files;
  readonly #log: Log;
  readonly #purpose: Purpose;
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;
  #journal: Journal;
  #fault: string | null = null;
  readonly #changes = new FolderBell();
  readonly #status: StatusFile;

  constructor(args: Arguments, log: Log, purpose: Purpose) {
    this.#files = filesOf(args);
    this.#log = log;
    this.#purpose = purpose;
    this.#status = new StatusFile(this.#files.folder);
    this.#journal = new Journal(read(this.#files).config.plant);
  }

  async *read(_signal: AbortSignal, failed: (error: Error) => void): AsyncGenerator<PluginRecord> {
    if (this.#purpose === 'once') {
      yield* statusRecords(this.#files);
      return;
    }
    this.#running ??= this.#run().catch((error: unknown) => {
      this.#fault = messageOf(error);
      this.#running = null;
    });
    // One that cannot begin says so at once.
    await sleep(0);
    if (this.#fault !== null) failed(new Error(this.#fault));
    this.#fault = null;
    yield* this.#journal.take();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const { folder } = this.#files;
    mkdirSync(folder, { recursive: true });
    const release = takePidFile('pv-control', folder);
    try {
      while (!signal.aborted) {
        const { text, config, schedules } = read(this.#files);
        const state = new KeptState(join(folder, 'state.json'));
        state.load();
        this.#journal.plant = config.plant;
        const scheduled = config.providers.filter(({ type }) => type === 'schedule');
        this.#changes.start(scheduled.map(({ name }) => join(schedules, name)));
        const controller = new Controller(config, schedules, state, this.#journal);
        try {
          await this.#control(controller, config, text, signal);
        } finally {
          await controller.close();
        }
      }
    } finally {
      this.#changes.stop();
      release();
    }
  }

  /** Until it is stopped, or the configuration is another one that can be obeyed. */
  async #control(controller: Controller, config: ControlConfig, text: string, signal: AbortSignal) {
    let isChanged = false;
    while (!signal.aborted) {
      const startedAt = performance.now();
      try {
        await controller.round(Date.now(), signal, isChanged);
        const tookMs = performance.now() - startedAt;
        this.#status.write(controller.status(), Date.now(), Math.max(tookMs, config.interval));
      } catch (error) {
        if (signal.aborted) return;
        this.#log.error(messageOf(error));
        this.#journal.error(Date.now(), 'controller', null, messageOf(error));
      }
      const waitMs = Math.max(0, config.interval - (performance.now() - startedAt));
      isChanged = await this.#changes.wait(waitMs, signal);
      if (this.#isReplaced(text)) return;
    }
  }

  /** A new file that is wrong is told, and the old one goes on. */
  #isReplaced(text: string): boolean {
    try {
      if (readFileSync(this.#files.file, 'utf8') === text) return false;
      read(this.#files);
      this.#journal.well('control.yaml', null);
      return true;
    } catch (error) {
      this.#journal.error(Date.now(), 'control.yaml', null, messageOf(error));
      return false;
    }
  }
}

/** What each provider says now; nothing is written and no inverter is touched. */
function* statusRecords(files: Files): Generator<PluginRecord> {
  const { config, schedules } = read(files);
  for (const one of config.providers) {
    const provider = new Provider(one, schedules);
    const faults = provider.refresh(Date.now());
    yield {
      table: 'control',
      source: ['providers', one.name],
      about: [
        ['Type', one.type],
        ...faults.map(({ kind, message }): [string, string] => [`Fault of ${kind}`, message]),
      ],
      columns: SETPOINT_KINDS.map((name) => ({ name, type: 'keyword' as const })),
      values: SETPOINT_KINDS.map((kind) => {
        const setpoint = provider.value(kind, Date.now());
        return setpoint && setpointText(setpoint);
      }),
    };
  }
}

interface Files {
  /** The configuration. */
  file: string;
  /** Of schedules, of the state, and of the lock that keeps a second one away. */
  folder: string;
}

/** A form keeps the configuration among the files of its service, so that schedules lie elsewhere. */
function filesOf(args: Arguments): Files {
  return filesOfConfig(args.text('config_file'), args.text('folder'));
}

function filesOfConfig(file: string, folder = ''): Files {
  const own = basename(file) === 'control.yaml' ? dirname(file) : join(rootOfProgram(), FOLDER);
  return { file, folder: folder || own };
}

interface Read {
  text: string;
  config: ControlConfig;
  folder: string;
  schedules: string;
}

function read({ file, folder }: Files): Read {
  const text = readText(file, 'configuration');
  return { text, config: parseConfig(text, file), folder, schedules: join(folder, 'schedules') };
}
