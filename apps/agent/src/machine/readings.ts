import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, cpus, freemem, loadavg, platform, release, totalmem } from 'node:os';

/** Text of a file of the kernel's; null where there is none, as on other systems. */
function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Not every machine has every file.
    return null;
  }
}

interface CpuTimes {
  busy: number;
  total: number;
}

function cpuTimes(): CpuTimes {
  const stat = read('/proc/stat')?.split('\n', 1)[0];
  if (stat) {
    const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = stat
      .split(/\s+/)
      .slice(1)
      .map(Number);
    const busy = user + nice + system + irq + softirq + steal;
    return { busy, total: busy + idle + iowait };
  }
  let [busy, total] = [0, 0];
  for (const { times } of cpus()) {
    const all = times.user + times.nice + times.sys + times.idle + times.irq;
    busy += all - times.idle;
    total += all;
  }
  return { busy, total };
}

/** Share of all processors that worked since the last call, %; null at the first call. */
export class CpuMeter {
  #last: CpuTimes | null = null;

  read(): number | null {
    const now = cpuTimes();
    const last = this.#last;
    this.#last = now;
    if (!last || now.total <= last.total) return null;
    return round((100 * (now.busy - last.busy)) / (now.total - last.total));
  }
}

/** Memory in use and swap in use, %; swap is null on a machine without. */
export function memoryUsage(): { memory: number; swap: number | null } {
  const info = new Map<string, number>();
  for (const [, name = '', kb] of (read('/proc/meminfo') ?? '').matchAll(/^(\w+):\s+(\d+) kB/gm)) {
    info.set(name, Number(kb));
  }
  const total = info.get('MemTotal') ?? totalmem() / 1024;
  const available = info.get('MemAvailable') ?? freemem() / 1024;
  const swapTotal = info.get('SwapTotal') ?? 0;
  const swapFree = info.get('SwapFree') ?? 0;
  return {
    memory: round(100 * (1 - available / total)),
    swap: swapTotal > 0 ? round(100 * (1 - swapFree / swapTotal)) : null,
  };
}

/** How full the disk of `path` is for ordinary users, as `df` says it, %. */
export function diskUsage(path: string): number | null {
  try {
    const { blocks, bfree, bavail } = statfsSync(path);
    const used = blocks - bfree;
    return used + bavail > 0 ? round((100 * used) / (used + bavail)) : null;
  } catch {
    // A path that is gone has no disk.
    return null;
  }
}

const CPU_SENSOR = /^(x86_pkg_temp|cpu.?thermal|soc.?thermal|coretemp|k10temp|zenpower|cpu_thermal)/i;

/** Temperature of the processor, °C; null on a machine that does not report it. */
export function cpuTemperature(): number | null {
  const zones = list('/sys/class/thermal', 'thermal_zone').map((dir) => ({
    kind: read(`${dir}/type`)?.trim() ?? '',
    milli: Number(read(`${dir}/temp`) ?? Number.NaN),
  }));
  const chips = list('/sys/class/hwmon', 'hwmon').map((dir) => ({
    kind: read(`${dir}/name`)?.trim() ?? '',
    milli: Number(read(`${dir}/temp1_input`) ?? Number.NaN),
  }));
  const sane = [...zones, ...chips].filter(({ milli }) => milli > -40_000 && milli < 150_000 && milli !== 0);
  const best = sane.find(({ kind }) => CPU_SENSOR.test(kind)) ?? sane[0];
  return best ? round(best.milli / 1000) : null;
}

function list(folder: string, prefix: string): string[] {
  if (!existsSync(folder)) return [];
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(prefix))
      .sort()
      .map((name) => `${folder}/${name}`);
  } catch {
    // Not readable in this container.
    return [];
  }
}

/** Received and sent bytes a second of all network cards but the loopback; null at the first call. */
export class NetworkMeter {
  #last: { rx: number; tx: number; at: number } | null = null;

  read(): { rxBs: number; txBs: number } | null {
    const text = read('/proc/net/dev');
    if (!text) return null;
    let [rx, tx] = [0, 0];
    for (const [, name, numbers = ''] of text.matchAll(/^\s*([^\s:]+):\s*(.+)$/gm)) {
      if (name === 'lo') continue;
      const columns = numbers.trim().split(/\s+/).map(Number);
      rx += columns[0] ?? 0;
      tx += columns[8] ?? 0;
    }
    const at = performance.now();
    const last = this.#last;
    this.#last = { rx, tx, at };
    if (!last || rx < last.rx || tx < last.tx) return null;
    const seconds = (at - last.at) / 1000;
    return { rxBs: Math.round((rx - last.rx) / seconds), txBs: Math.round((tx - last.tx) / seconds) };
  }
}

/** Processes that want to run, mean of 1 and of 5 minutes. */
export function load(): { one: number; five: number; cores: number } {
  const [one = 0, five = 0] = loadavg();
  return { one: round(one), five: round(five), cores: availableParallelism() };
}

/** Name and version of the operating system as people say it. */
export function osName(): string {
  const pretty = /^PRETTY_NAME="?([^"\n]+)"?/m.exec(read('/etc/os-release') ?? '')?.[1];
  return pretty ?? `${platform()} ${release()}`;
}

/** Address of the default gateway; null when there is none. */
export function gateway(): string | null {
  for (const line of (read('/proc/net/route') ?? '').split('\n').slice(1)) {
    const [, destination, via] = line.split('\t');
    if (destination !== '00000000' || !via) continue;
    return (via.match(/../g) ?? [])
      .reverse()
      .map((hex) => Number.parseInt(hex, 16))
      .join('.');
  }
  return null;
}

export const round = (value: number): number => Math.round(value * 100) / 100;
