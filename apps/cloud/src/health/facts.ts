import type { DeviceFacts } from '@albedo/contract/devices/devices.schema';
import type { WentBack } from '@albedo/contract/devices/went-back';
import type { BatchStream, StatusMessage } from '@albedo/contract/link/link.messages';
import type { StoredFacts } from '../telemetry/telemetry.service.ts';

/** Time over which CPU usage is averaged. Source: specification 2, section 9. */
const CPU_WINDOW_MS = 15 * 60_000;
/** The time that the first sample covers, and the most that any covers, however long the device was silent before it, ms. */
const [FIRST_COVERS_MS, MOST_COVERED_MS] = [1000, 300_000];
/** Samples must cover this much time together, ms: one sample of an agent. */
const ENOUGH_COVERED_MS = 25_000;

export const UNKNOWN_FACTS: Readonly<DeviceFacts> = {
  online: false,
  stateChangedAt: null,
  cloudLastDataAt: null,
  sourceLastDataAt: null,
  clockOffsetS: null,
  cpuUsage: null,
  cpuTemp: null,
  memUsage: null,
  diskUsage: null,
  upTimeHours: null,
  os: null,
  blackBoxAt: null,
  version: null,
  starts: null,
  crashes: null,
  pendingEvents: null,
  configDiffersSince: null,
  fallbackError: null,
  wentBack: null,
  gnat: false,
};

/** Facts that a status message tells; `now` is the cloud's clock at its arrival, epoch ms. */
export function factsOfStatus(status: StatusMessage, now: number): Partial<DeviceFacts> {
  return {
    clockOffsetS: Math.round((status.at - now) / 100) / 10,
    sourceLastDataAt: status.sourceLastDataAt,
    version: status.version,
    starts: status.starts ?? null,
    crashes: status.crashes ?? null,
    os: status.os,
    pendingEvents: status.pendingEvents,
    fallbackError: status.fallbackError === undefined ? null : plain(status.fallbackError),
    wentBack: status.wentBack ? plainBack(status.wentBack) : null,
  };
}

/** One line without anything that a terminal or a log would take for a command. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 1000);

const plainBack = (told: WentBack): WentBack => ({
  ...told,
  name: plain(told.name),
  why: plain(told.why),
});

/** Fields of the black box record that are facts. Source: specification 2, section 3. */
const BLACK_BOX = {
  'CPU temp': 'cpuTemp',
  'MEM usage': 'memUsage',
  'DISK usage': 'diskUsage',
  Uptime: 'upTimeHours',
} as const satisfies Record<string, keyof DeviceFacts>;

/**
 * Facts that arriving events tell, given those known so far. Events of the past change nothing that newer ones told.
 *
 * `cpu` holds the samples of the device within the window and is brought up to date.
 */
export function factsOfArrival(
  known: DeviceFacts,
  streams: readonly BatchStream[],
  cpu: CpuWindow,
  now: number,
): Partial<DeviceFacts> {
  const facts: Partial<DeviceFacts> = {};
  let newestAt = known.cloudLastDataAt ?? 0;
  for (const stream of streams) {
    for (const [, eventAt] of stream.rows) if (eventAt > newestAt) newestAt = eventAt;
    if (stream.table === 'black_box' && stream.source === 'Black box') {
      Object.assign(facts, factsOfBlackBox(facts.blackBoxAt ?? known.blackBoxAt ?? 0, stream));
    }
    if (stream.table === 'data') {
      const at = stream.fields.findIndex((field) => field.name === 'cpu_usage');
      if (at >= 0) for (const row of stream.rows) cpu.add(row[1], row[at + 2], now);
    }
  }
  // A clock that runs ahead must not make a device look fresh for ever.
  if (newestAt > (known.cloudLastDataAt ?? 0)) facts.cloudLastDataAt = Math.min(newestAt, now);
  const mean = cpu.mean(now);
  if (mean !== null) facts.cpuUsage = mean;
  return facts;
}

/** Facts that the telemetry store tells at a start; `known` is what was saved last. */
export function factsOfStore(known: DeviceFacts, stored: StoredFacts, now: number): Partial<DeviceFacts> {
  const facts: Partial<DeviceFacts> = {
    cloudLastDataAt: Math.min(now, Math.max(known.cloudLastDataAt ?? 0, stored.lastEventAt)),
    cpuUsage: stored.cpuUsage,
  };
  const { blackBox } = stored;
  if (!blackBox || blackBox.eventAt < (known.blackBoxAt ?? 0)) return facts;
  facts.blackBoxAt = blackBox.eventAt;
  for (const [field, fact] of Object.entries(BLACK_BOX)) {
    const value = blackBox.values[field];
    if (typeof value === 'number') facts[fact] = value;
  }
  return facts;
}

function factsOfBlackBox(since: number, stream: BatchStream): Partial<DeviceFacts> {
  const facts: Partial<DeviceFacts> = {};
  let newestAt = since;
  for (const row of stream.rows) {
    if (row[1] < newestAt) continue;
    newestAt = row[1];
    facts.blackBoxAt = newestAt;
    for (const [at, field] of stream.fields.entries()) {
      const fact = BLACK_BOX[field.name as keyof typeof BLACK_BOX];
      const value = row[at + 2];
      if (fact && typeof value === 'number') facts[fact] = value;
    }
  }
  return facts;
}

/**
 * Samples of the last quarter of an hour and their mean. Each is weighted by the time since the one before it.
 *
 * The first one covers the moments in which the agent starts, when every machine is busy. That says little about a device, so
 * there is no mean before half a minute is covered.
 */
export class CpuWindow {
  #samples: [at: number, value: number, coversMs: number][] = [];
  #newestAt: number | null = null;

  add(at: number, value: unknown, now: number): void {
    if (typeof value !== 'number' || at <= now - CPU_WINDOW_MS || at > now + 60_000) return;
    const covers = this.#newestAt === null ? FIRST_COVERS_MS : at - this.#newestAt;
    this.#newestAt = Math.max(at, this.#newestAt ?? at);
    this.#samples.push([at, value, Math.min(Math.max(covers, FIRST_COVERS_MS), MOST_COVERED_MS)]);
  }

  /** Null if the samples of the window cover too little time. */
  mean(now: number): number | null {
    this.#samples = this.#samples.filter(([at]) => at > now - CPU_WINDOW_MS);
    let [area, covered] = [0, 0];
    for (const [, value, coversMs] of this.#samples) {
      area += value * coversMs;
      covered += coversMs;
    }
    return covered < ENOUGH_COVERED_MS ? null : Math.round((area / covered) * 100) / 100;
  }
}
