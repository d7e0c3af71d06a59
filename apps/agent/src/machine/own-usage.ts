import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { round } from './readings.ts';

/** Where the kernel lists processes, and its units. Source: proc(5). */
const PROC = '/proc';
const TICK_MS = 10;
/** Trees of processes are followed down to this depth. */
const MAX_PROCESSES = 1000;

interface Used {
  /** Processor time of each process since its start, ms. */
  cpuMs: Map<number, number>;
  memoryBytes: number;
}

export interface OwnUsage {
  /** Share of all processors of the machine since the last call, %; null at the first call. */
  cpu: number | null;
  /** Share of the machine's memory, %. */
  memory: number;
}

/** What this process and its child processes use of the machine. */
export class OwnMeter {
  readonly #look: () => Used;
  readonly #now: () => number;
  readonly #cores: number;
  readonly #memoryBytes: number;
  #last: { used: Used; at: number } | null = null;

  constructor({
    look = () => lookAt(process.pid),
    now = () => performance.now(),
    cores = availableParallelism(),
    memoryBytes = totalmem(),
  }: {
    look?: () => Used;
    now?: () => number;
    cores?: number;
    memoryBytes?: number;
  } = {}) {
    this.#look = look;
    this.#now = now;
    this.#cores = cores;
    this.#memoryBytes = memoryBytes;
  }

  read(): OwnUsage {
    const used = this.#look();
    const at = this.#now();
    const last = this.#last;
    this.#last = { used, at };
    const memory = round(Math.min(100, (100 * used.memoryBytes) / this.#memoryBytes));
    if (!last || at <= last.at) return { cpu: null, memory };
    let cpuMs = 0;
    // A process that started since the last call counts from its start.
    for (const [pid, ms] of used.cpuMs) cpuMs += Math.max(0, ms - (last.used.cpuMs.get(pid) ?? 0));
    return { cpu: round(Math.min(100, (100 * cpuMs) / (at - last.at) / this.#cores)), memory };
  }
}

/** The process and all below it; only the process itself if the kernel does not list others. */
function lookAt(pid: number): Used {
  const used: Used = { cpuMs: new Map(), memoryBytes: 0 };
  const left = [pid];
  for (let next = left.pop(); next !== undefined && used.cpuMs.size < MAX_PROCESSES; next = left.pop()) {
    try {
      const stat = readFileSync(`${PROC}/${next}/stat`, 'utf8');
      // The name, up to the last bracket, may contain anything.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      used.cpuMs.set(next, (Number(fields[11]) + Number(fields[12])) * TICK_MS);
      // Not in pages, whose size differs between machines.
      const [, residentKb = '0'] =
        /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`${PROC}/${next}/status`, 'utf8')) ?? [];
      used.memoryBytes += Number(residentKb) * 1024;
      const children = readFileSync(`${PROC}/${next}/task/${next}/children`, 'utf8');
      left.push(...children.split(' ').filter(Boolean).map(Number));
    } catch {
      // The process has just ended, or this system has no /proc.
    }
  }
  if (!used.cpuMs.has(pid)) {
    const { user, system } = process.cpuUsage();
    used.cpuMs.set(pid, (user + system) / 1000);
    used.memoryBytes += process.memoryUsage.rss();
  }
  return used;
}
