import {
  type CommandLine,
  checkArguments,
  type Options,
  parseCommandLine,
} from './command-line/arguments.ts';
import { InputError } from './command-line/input-error.ts';
import { type Log, messageOf, stderrLog } from './command-line/log.ts';
import { withSecrets } from './command-line/secrets.ts';
import { readText } from './command-line/text-file.ts';
import { HeldError, takePidFile } from './locks/pid-file.ts';
import type { Act, Plugin, Reader } from './plugin.ts';
import type { PluginRecord } from './records/record.ts';
import { recordText } from './records/record-text.ts';
import { RecordWriter } from './records/record-writer.ts';
import { Samples } from './records/samples.ts';
import { parseSourceMap, type SourceMap } from './records/source-map.ts';
import { activateService, rootOfProgram } from './services/activate-service.ts';
import { installedRows } from './services/installed-rows.ts';
import { parseServiceFile, type ServiceRow } from './services/service-file.ts';
import { superviseTasks } from './services/service-supervisor.ts';
import { specOf } from './spec.ts';

const SHARED_OPTIONS = {
  source_map: {
    kind: 'file',
    default: '',
    short: 's',
    help: 'file of "regex,new name" lines that rename sources',
  },
  changes_only: { kind: 'flag', short: 'c', help: 'write a record only when a value has changed' },
  sampling_rate: {
    kind: 'decimal',
    default: 0,
    help: 'of a service: read so often, in seconds, and write means; 0 reads once for each record',
  },
} as const satisfies Options;
/** How long what is under way may take to end once nobody supervises it, ms. */
const LAST_MS = 5000;

/**
 * The command line of a plugin: `discover`, `browse`, `log` (or `get`), `service`, `activate-service` and `spec`.
 *
 * Gives the exit code: 0, 1 when a machine could not be read, 2 when the command line or a file is wrong.
 */
export async function runPlugin(
  plugin: Plugin,
  argv: string[],
  stop: AbortSignal,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<number> {
  try {
    const options = { ...plugin.options, ...SHARED_OPTIONS };
    const line = parseCommandLine(argv, options);
    const log = stderrLog(line.verbosity);
    if (line.wantsHelp || line.verb === '') {
      process.stdout.write(usage(plugin, options));
      return line.wantsHelp ? 0 : 2;
    }
    if (line.verb === 'spec') {
      const spec = specOf(plugin, plugin.package, SHARED_OPTIONS);
      process.stdout.write(`${JSON.stringify(spec, null, 2)}\n`);
      return 0;
    }
    if (line.verb === 'service') return await service(plugin, options, line.positionals, log, stop);
    if (line.verb === 'activate-service') return await activate(plugin, options, line.positionals, log);
    const act = Object.hasOwn(plugin.acts ?? {}, line.verb) ? plugin.acts?.[line.verb] : undefined;
    if (act) {
      const root = env.ALBEDO_ROOT || rootOfProgram();
      return await perform(act, line, { root, positionals: plugin.positionals, options }, plugin, log, stop);
    }
    // The older name of it, which scripts may still use.
    const verb = line.verb === 'get' ? 'log' : line.verb;
    const { browse } = plugin;
    if (verb === 'browse' && !browse)
      throw new InputError('there is no command "browse" for these machines; discover shows what is read');
    if (verb !== 'discover' && verb !== 'log' && verb !== 'browse')
      throw new InputError(`there is no command "${line.verb}"`);
    const names = verb === 'log' ? [...plugin.positionals, 'output_directory'] : plugin.positionals;
    if (line.positionals.length > names.length) {
      throw new InputError(`"${line.positionals[names.length]}" is one argument too many`);
    }
    const given = Object.fromEntries(names.map((name, index) => [name, line.positionals[index] ?? '']));
    const named = withSecrets(line.given, options, env);
    const args = checkArguments({ ...given, ...named }, names, options);
    if (verb === 'browse' && browse) return await show(browse(args, log, stop), log);
    const reader = plugin.open(args, log, 'once');
    const map = readSourceMap(args.text('source_map'));
    if (verb === 'discover') return await once(reader, log, stop, (record) => print(record, map));
    const changesOnly = args.flag('changes_only');
    const writer = new RecordWriter(args.text('output_directory'), {
      changesOnly,
      sourceMap: map,
      writtenBy: plugin.package.name,
    });
    return await once(reader, log, stop, (record) => void writer.write(record, Date.now()));
  } catch (error) {
    if (!(error instanceof InputError) && !(error instanceof HeldError)) throw error;
    process.stderr.write(`${plugin.name}: ${error.message}\n`);
    return 2;
  }
}

/** Runs the plugin of this process: SIGTERM and SIGINT end it in order. */
export async function main(plugin: Plugin): Promise<void> {
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  process.once('SIGINT', () => stop.abort());
  // Whoever supervises it holds its input open, and is gone when that ends, however it ended.
  if (process.env.ALBEDO_SUPERVISED) {
    process.stdin
      .once('close', () => {
        stop.abort();
        setTimeout(() => process.exit(), LAST_MS).unref();
      })
      .on('error', () => process.stdin.destroy())
      .resume();
    // Nobody reads what it says any more, which is no reason to end out of order.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  }
  // Elsewhere whoever read what it prints has gone, as `head` does.
  else process.stdout.on('error', () => process.exit());
  process.exitCode = await runPlugin(plugin, process.argv.slice(2), stop.signal, process.env);
  if (process.env.ALBEDO_SUPERVISED) process.stdin.destroy();
}

async function perform(
  act: Act,
  { verb, positionals: words }: CommandLine,
  of: { root: string; positionals: string[]; options: Options },
  plugin: Plugin,
  log: Log,
  stop: AbortSignal,
): Promise<number> {
  if (words.length !== act.words.length) throw new InputError(`${verb} takes ${act.words.join(' and ')}`);
  const positionals = [...of.positionals, 'output_directory'];
  const rows = installedRows(plugin.package.name, { ...of, positionals, log });
  try {
    process.stdout.write(`${await act.run(words, rows, stop)}\n`);
    return 0;
  } catch (error) {
    if (error instanceof InputError) throw error;
    log.error(messageOf(error));
    return 1;
  }
}

async function show(lines: AsyncIterable<string>, log: Log): Promise<number> {
  try {
    for await (const line of lines) process.stdout.write(`${line}\n`);
    return 0;
  } catch (error) {
    if (error instanceof InputError) throw error;
    log.error(messageOf(error));
    return 1;
  }
}

async function once(reader: Reader, log: Log, stop: AbortSignal, take: (record: PluginRecord) => void) {
  let failures = 0;
  const failed = (error: Error) => {
    failures++;
    log.error(error.message);
  };
  try {
    for await (const record of reader.read(stop, failed)) take(record);
  } finally {
    await reader.close();
  }
  return failures > 0 ? 1 : 0;
}

function wantedFile(plugin: Plugin, options: Options, files: string[], verb: string) {
  const [file, ...more] = files;
  if (!file || more.length > 0) throw new InputError(`${verb} takes one file`);
  const names = [...plugin.positionals, 'output_directory'];
  const text = readText(file, 'service file');
  return { file, text, ...parseServiceFile(text, file, names, options) };
}

/** A file with a fault in any row is not taken: whoever types this is there to mend it. */
async function activate(plugin: Plugin, options: Options, files: string[], log: Log): Promise<number> {
  const { file, text, rows, faults } = wantedFile(plugin, options, files, 'activate-service');
  const wrong = faults.map(messageOf);
  for (const row of rows) {
    try {
      await openRow(plugin, row, log).reader.close();
    } catch (error) {
      wrong.push(`${file}, line ${row.line}: ${messageOf(error)}`);
    }
  }
  if (wrong.length > 0) throw new InputError(wrong.join('\n'));
  const place = activateService(file, text, plugin.package.name, rootOfProgram());
  process.stdout.write(
    `${place}: ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}; the agent takes it up within half a minute\n`,
  );
  return 0;
}

async function service(plugin: Plugin, options: Options, files: string[], log: Log, stop: AbortSignal) {
  const { file, rows, faults } = wantedFile(plugin, options, files, 'service');
  for (const fault of faults) log.error(fault.message);
  const release = takePidFile(`${plugin.name}-${file}`);
  try {
    const opened = openRows(plugin, rows, file, log);
    log.info(`${plugin.name}: ${opened.length} of ${rows.length + faults.length} rows of ${file} run`);
    await superviseTasks(
      opened.map((one) => one.task),
      log,
      stop,
    );
    await Promise.all(opened.map((one) => one.reader.close()));
    return 0;
  } finally {
    release();
  }
}

function openRows(plugin: Plugin, rows: ServiceRow[], file: string, log: Log) {
  const opened = rows.flatMap((row) => {
    try {
      return [openRow(plugin, row, log)];
    } catch (error) {
      log.error(`${file}, line ${row.line}: ${messageOf(error)}`);
      return [];
    }
  });
  if (opened.length === 0) throw new InputError(`${file}: no valid row`);
  return opened;
}

function openRow(plugin: Plugin, row: ServiceRow, log: Log) {
  const { args, name, intervalMs } = row;
  const reader = plugin.open(args, log, 'service');
  const writer = new RecordWriter(args.text('output_directory'), {
    writtenBy: plugin.package.name,
    changesOnly: args.flag('changes_only'),
    sourceMap: readSourceMap(args.text('source_map')),
  });
  let known = new Set<string>();
  const everyMs = samplingOf(args.number('sampling_rate') * 1000, intervalMs);
  const samples = new Samples();
  let writtenAt = performance.now();
  const run = async (signal: AbortSignal) => {
    const failures = new Set<string>();
    // A machine that stays silent is reported once, not at every run.
    const failed = ({ message }: Error) => {
      failures.add(message);
      if (!known.has(message)) log.error(`${name}: ${message}`);
    };
    for await (const record of reader.read(signal, failed)) {
      if (everyMs === intervalMs) writer.write(record, Date.now());
      else samples.add(record);
    }
    // Half a sample early rather than a whole one late.
    if (performance.now() - writtenAt >= intervalMs - everyMs / 2) {
      writtenAt = performance.now();
      for (const record of samples.take()) writer.write(record, Date.now());
    }
    for (const message of known) if (!failures.has(message)) log.error(`${name}: over: ${message}`);
    known = failures;
  };
  return { reader, task: { name, intervalMs: everyMs, run } };
}

function samplingOf(everyMs: number, intervalMs: number): number {
  if (everyMs === 0) return intervalMs;
  if (everyMs < 50 || everyMs > intervalMs)
    throw new InputError(`sampling_rate: ${everyMs / 1000} is outside 0.05 to ${intervalMs / 1000} seconds`);
  return everyMs;
}

function readSourceMap(file: string): SourceMap | null {
  return file === '' ? null : parseSourceMap(readText(file, 'source map'), file);
}

const print = (record: PluginRecord, map: SourceMap | null): void =>
  void process.stdout.write(`${recordText(record, map)}\n\n`);

function usage(plugin: Plugin, options: Options): string {
  const names = plugin.positionals.map((name) => name.toUpperCase()).join(' ');
  const acts = Object.entries(plugin.acts ?? {}).map(
    ([verb, { words, help }]) =>
      `  ${plugin.name} ${verb} ${words.map((word) => word.toUpperCase()).join(' ')}    ${help}\n`,
  );
  const rows = Object.entries(options).map(([name, option]) => {
    const initial = option.kind === 'flag' || option.default === '' ? '' : ` (${option.default})`;
    return `  ${option.short ? `-${option.short}, ` : '    '}--${name.padEnd(26)}${option.help}${initial}`;
  });
  return `${plugin.summary}

  ${plugin.name} [-v|-vv] discover ${names}
  ${plugin.name} [-v|-vv] log ${names} OUTPUT_DIRECTORY
${plugin.browse ? `  ${plugin.name} [-v|-vv] browse ${names}\n` : ''}  ${plugin.name} [-v|-vv] service FILE
  ${plugin.name} activate-service FILE
${acts.join('')}  ${plugin.name} spec

${rows.join('\n')}
`;
}
