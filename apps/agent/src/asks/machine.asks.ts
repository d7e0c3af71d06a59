import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AskInput, AskResult } from '@albedo/contract/link/link.asks';
import { PRODUCT } from '@albedo/contract/product';
import { runPluginByKeeper } from '../commands/keeper.ts';
import { isConfined } from '../confinement.ts';
import { AskError } from '../link/ask-error.ts';
import { messageOf } from '../log.ts';
import type { Root } from '../root.ts';
import type { AskHandlers } from './asks.ts';
import { readingsOf } from './machine-reading.ts';

type Wanted = AskInput<'machines.read'>;

/** Bytes of a plugin's output that are read. */
const SHOWN_BYTES = 2 * 1024 * 1024;
/** A machine that is there answers within this, s. */
const ANSWER_S = '2';
const WRONG_ARGUMENTS = 2;
/** The longest that one look at machines takes, ms. */
const READING_MS = 110_000;

/** Reading machines with the plugins of the agent pack: once to see what comes, and what they need to go on doing so. */
export const machineAsks = (root: Root): Pick<AskHandlers, 'machines.read' | 'machines.keep'> => ({
  'machines.read': async ({ input, signal }) => {
    const program = programOf(root, input.reader);
    const folder = await mkdtemp(join(tmpdir(), `${PRODUCT}-machines-`));
    try {
      const map = join(folder, 'registers.csv');
      if (input.reader === 'modbus') await writeFile(map, input.registerMap, { mode: 0o600 });
      const beganAt = performance.now();
      const { code, stdout, stderr } = await run(program, argumentsOf(input, map), signal);
      const said = stderr.replaceAll(map, 'registers');
      if (code === WRONG_ARGUMENTS) throw new AskError('invalid', said.trim().slice(0, 1000));
      const problems = said.split('\n').flatMap((line) => line.trim().slice(0, 1000) || []);
      const tookMs = Math.round(performance.now() - beganAt);
      return { machines: readingsOf(stdout), problems: problems.slice(0, 100), tookMs };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  'machines.keep': async ({ input: { id, sourceMap, registerMap } }) => {
    const folder = root.at(`/etc/${PRODUCT}/machines`);
    await mkdir(folder, { recursive: true });
    const kept: AskResult<'machines.keep'> = {
      programs: { sunspec: programPath(root, 'sunspec'), modbus: programPath(root, 'modbus') },
      sourceMap: join(folder, `${id}.map`),
      registerMap: join(folder, `${id}.csv`),
      logs: root.at(root.logDirectory),
    };
    await put(kept.sourceMap, sourceMap);
    await put(kept.registerMap, registerMap);
    await mkdir(kept.logs, { recursive: true });
    return kept;
  },
});

/** Each value is an argument of its own and never sees a shell; the contract lets none begin with a dash. */
function argumentsOf({ reader, host, port, units }: Wanted, map: string): string[] {
  const places = [host, units.join(','), ...(reader === 'modbus' ? [map] : [])];
  return ['discover', ...places, '--port', String(port), '--timeout', ANSWER_S];
}

const programPath = (root: Root, reader: Wanted['reader']): string =>
  root.at(`/usr/local/bin/${reader}_${PRODUCT}`);

function programOf(root: Root, reader: Wanted['reader']): string {
  const path = programPath(root, reader);
  if (isConfined()) return path;
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    throw new AskError(
      'unable',
      `The plugin ${reader} is not installed on this device. Install the agent pack again.`,
    );
  }
}

/** Whole or not at all, whatever happens meanwhile. */
async function put(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o644, flush: true });
  await rename(`${path}.new`, path);
}

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

async function run(program: string, args: string[], signal: AbortSignal): Promise<Ended> {
  if (!isConfined()) return runHere(program, args, signal);
  const { returnCode, stdout, stderr, error } = await runPluginByKeeper(program, args, READING_MS);
  if (error) throw new AskError('refused', error);
  return { code: returnCode, stdout, stderr };
}

function runHere(program: string, args: string[], signal: AbortSignal): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        if (texts[name].length < SHOWN_BYTES) texts[name] += chunk;
      });
    }
    child.on('error', (error) => reject(new AskError('unable', messageOf(error))));
    child.on('close', (code) => resolve({ code, ...texts }));
  });
}
