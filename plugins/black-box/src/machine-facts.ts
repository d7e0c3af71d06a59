import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Time that processors have spent since the start, in the kernel's ticks. */
export interface CpuTicks {
  busy: number;
  all: number;
}

/** Reads what Linux says of itself below two folders. What it does not say is null; nothing throws. */
export class MachineFacts {
  readonly #proc: string;
  readonly #sys: string;

  constructor(proc = '/proc', sys = '/sys') {
    this.#proc = proc;
    this.#sys = sys;
  }

  /** Source: proc(5), /proc/stat; waiting for disks counts as idle. */
  cpu(): CpuTicks | null {
    const [, numbers = ''] = /^cpu +(.*)$/m.exec(this.#text('stat')) ?? [];
    const ticks = numbers.split(' ').map(Number).slice(0, 8);
    const [, , , idle = 0, waiting = 0] = ticks;
    const all = ticks.reduce((sum, one) => sum + one, 0);
    return ticks.length < 5 || !(all > 0) ? null : { busy: all - idle - waiting, all };
  }

  /** Shares in use, %; swap is null where there is none. */
  memory(): { memory: number | null; swap: number | null } {
    const facts = this.#text('meminfo');
    const kB = (name: string) =>
      Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(facts)?.[1] ?? Number.NaN);
    return {
      memory: shareUsed(kB('MemTotal'), kB('MemAvailable')),
      swap: shareUsed(kB('SwapTotal'), kB('SwapFree')),
    };
  }

  /** Since the start, s. */
  uptimeS(): number | null {
    const [text = ''] = this.#text('uptime').split(' ');
    return text === '' ? null : Number(text);
  }

  /** Mean of five minutes, for each processor. */
  load(): number | null {
    const [, five = ''] = this.#text('loadavg').split(' ');
    const processors = this.#text('stat').match(/^cpu\d+ /gm)?.length ?? 0;
    return five === '' || processors === 0 ? null : Number((Number(five) / processors).toFixed(3));
  }

  /** The hottest zone that is about the processor, else the hottest one, °C. */
  temperature(): number | null {
    const zones = this.#names(join(this.#sys, 'class/thermal')).filter((one) =>
      one.startsWith('thermal_zone'),
    );
    const found = zones.flatMap((zone) => {
      const read = (name: string) => textOf(join(this.#sys, 'class/thermal', zone, name)).trim();
      const milliC = read('temp');
      return /^-?\d+$/.test(milliC)
        ? [{ isCpu: /cpu|pkg|soc/i.test(read('type')), celsius: Number(milliC) / 1000 }]
        : [];
    });
    const own = found.filter(({ isCpu }) => isCpu);
    const [hottest] = (own.length > 0 ? own : found).toSorted((a, b) => b.celsius - a.celsius);
    return hottest?.celsius ?? null;
  }

  /** Number of the process whose command line has all of these words; null where none has. */
  processWith(words: readonly string[]): number | null {
    for (const pid of this.#names(this.#proc).filter((one) => /^\d+$/.test(one))) {
      const command = textOf(join(this.#proc, pid, 'cmdline')).split('\0');
      if (words.every((word) => command.some((part) => part === word || part.endsWith(`/${word}`)))) {
        return Number(pid);
      }
    }
    return null;
  }

  /** Address of the router; null without one. Source: proc_net(5), /proc/net/route, in the order of this machine. */
  gateway(): string | null {
    for (const line of this.#text('net/route').split('\n').slice(1)) {
      const [, target, gateway = '', flags = '0'] = line.split('\t');
      const isUsed = (Number.parseInt(flags, 16) & 2) !== 0;
      if (target === '00000000' && isUsed && /^[0-9A-F]{8}$/.test(gateway)) {
        return (gateway.match(/../g) ?? [])
          .toReversed()
          .map((byte) => Number.parseInt(byte, 16))
          .join('.');
      }
    }
    return null;
  }

  #text(name: string): string {
    return textOf(join(this.#proc, name));
  }

  #names(folder: string): string[] {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  }
}

/** Empty for a file that is not there, as a process that has just ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const shareUsed = (total: number, free: number): number | null =>
  total > 0 && free >= 0 ? Number(((1 - free / total) * 100).toFixed(1)) : null;

/** Share of the time between two looks in which processors worked, %. */
export const cpuShare = (before: CpuTicks, now: CpuTicks): number | null =>
  now.all > before.all
    ? Number((((now.busy - before.busy) / (now.all - before.all)) * 100).toFixed(1))
    : null;
