import { uptime } from 'node:os';
import type { BatchField } from '@albedo/contract/link/link.messages';
import { PRODUCT } from '@albedo/contract/product';
import type { Shape } from '../outbox/outbox.events.ts';
import type { RunningCapture, Sink } from '../outbox/sink.ts';
import { OwnMeter } from './own-usage.ts';
import { reachability } from './reachability.ts';
import { CpuMeter, cpuTemperature, diskUsage, load, memoryUsage, NetworkMeter, round } from './readings.ts';

const MACHINE_MS = 5000;
const DATA_MS = 30_000;
const BLACK_BOX_MS = 300_000;
const FIRST_BLACK_BOX_MS = 10_000;

/** What the black box says about the agent. */
export interface AgentVitals {
  isOnline: boolean;
  /** Whether captured events can be kept on disk. */
  canKeep: boolean;
  captured: number;
  pending: number;
  /** Rounds of the agent's own timer since it started, and status messages it has sent. */
  coreTicks: number;
  statusTicks: number;
  brokerHost: string;
  brokerPort: number;
}

type Reading = [name: string, type: BatchField['type'], value: number | string | null, units?: string];

const PRODUCT_NAME = PRODUCT.charAt(0).toUpperCase() + PRODUCT.slice(1);
const flag = (value: boolean): string => (value ? 'True' : 'False');

/** What is measured: the whole machine, or only what the agent and its child processes use of it. */
export type Measured = 'machine' | 'own';

/** Readings that make sense only for the whole machine. */
const OF_THE_MACHINE: ReadonlySet<string> = new Set([
  ...['swap_usage', 'temperature', 'network_rx', 'network_tx', 'load'],
  ...['SWAP usage', 'CPU temp', '5 Minute Weighted Load Average'],
]);

/**
 * Measures the machine itself: table `machine` every 5 s, table `data` twice a minute, and the black box every
 * 5 minutes and shortly after the start. What the hardware does not have is left out and, if several agents share a
 * machine (`own`), what says nothing about this agent.
 */
export class MachineCapture implements RunningCapture {
  readonly #sink: Sink;
  readonly #disk: string;
  readonly #vitals: () => AgentVitals;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #shapes = new Map<string, Shape>();
  readonly #measured: Measured;
  readonly #meters: { readonly machine: Meter; readonly data: Meter; readonly blackBox: Meter };
  readonly #network = new NetworkMeter();
  #lastTicks = { core: -1, status: -1 };
  #isStopped = false;

  /** `disk` is a path on the disk that counts. */
  constructor(sink: Sink, disk: string, vitals: () => AgentVitals, measured: Measured = 'machine') {
    this.#sink = sink;
    this.#disk = disk;
    this.#vitals = vitals;
    this.#measured = measured;
    this.#meters = { machine: meterOf(measured), data: meterOf(measured), blackBox: meterOf(measured) };
  }

  start(): void {
    for (const meter of [...Object.values(this.#meters), this.#network]) meter.read();
    this.#timers.push(setInterval(() => this.#machine(), MACHINE_MS));
    this.#timers.push(setInterval(() => this.#data(), DATA_MS));
    this.#timers.push(setInterval(() => void this.#blackBox(), BLACK_BOX_MS));
    this.#timers.push(setTimeout(() => this.#machine(), 1000));
    this.#timers.push(setTimeout(() => this.#data(), 2000));
    this.#timers.push(setTimeout(() => void this.#blackBox(), FIRST_BLACK_BOX_MS));
  }

  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #machine(): void {
    const { cpu, memory } = this.#meters.machine.read();
    const network = this.#network.read();
    this.#keep('machine', 'system', [
      ['cpu_usage', 'decimal', cpu, '%'],
      ['memory_usage', 'decimal', memory, '%'],
      ['swap_usage', 'decimal', memoryUsage().swap, '%'],
      ['disk_usage', 'decimal', diskUsage(this.#disk), '%'],
      ['temperature', 'decimal', cpuTemperature(), '°C'],
      ['network_rx', 'integer', network?.rxBs ?? null, 'B/s'],
      ['network_tx', 'integer', network?.txBs ?? null, 'B/s'],
      ['load', 'decimal', load().one],
    ]);
  }

  #data(): void {
    const { cpu, memory } = this.#meters.data.read();
    this.#keep('data', 'agent', [
      ['cpu_usage', 'decimal', cpu, '%'],
      ['memory_usage', 'decimal', memory, '%'],
      ['load', 'decimal', load().one],
    ]);
  }

  async #blackBox(): Promise<void> {
    const vitals = this.#vitals();
    const reach = await reachability(vitals.brokerHost, vitals.brokerPort);
    if (this.#isStopped) return;
    const { cpu, memory } = this.#meters.blackBox.read();
    const { five, cores } = load();
    const last = this.#lastTicks;
    this.#lastTicks = { core: vitals.coreTicks, status: vitals.statusTicks };
    const host = vitals.brokerHost.replaceAll('.', '_');
    const isShared = this.#measured === 'own';
    this.#keep('black_box', 'Black box', [
      ['CPU usage', 'decimal', cpu, '%'],
      ['MEM usage', 'decimal', memory, '%'],
      ['SWAP usage', 'decimal', memoryUsage().swap, '%'],
      ['DISK usage', 'decimal', diskUsage(this.#disk), '%'],
      [`${PRODUCT_NAME} Broker DNS ping`, 'keyword', reach.broker],
      ['8_8_8_8 IP ping', 'keyword', reach.publicAddress],
      ['Gateway ping', 'keyword', reach.gateway],
      [`NS Lookup ${host} using 8_8_8_8`, 'keyword', reach.nameServer],
      [`${PRODUCT_NAME} running`, 'keyword', flag(true)],
      ['Agent run state', 'keyword', flag(vitals.canKeep)],
      ['Agent cloud connection', 'keyword', flag(vitals.isOnline)],
      ['Agent core loop state', 'keyword', flag(vitals.coreTicks > last.core)],
      ['Agent comm loop state', 'keyword', flag(vitals.statusTicks > last.status)],
      ['Agent message count', 'integer', vitals.captured],
      ['Agent loop count', 'integer', vitals.coreTicks],
      ['Agent core ticker', 'integer', vitals.coreTicks],
      ['Agent comm ticker', 'integer', vitals.statusTicks],
      ['Agent message cache', 'integer', vitals.pending],
      ['Timezone', 'keyword', Intl.DateTimeFormat().resolvedOptions().timeZone],
      ['CPU temp', 'decimal', cpuTemperature(), '°C'],
      ['Uptime', 'decimal', hoursOf(isShared ? process.uptime() : uptime()), 'h'],
      ['Shares its machine', 'keyword', isShared ? flag(true) : null],
      [`${PRODUCT_NAME} PID`, 'integer', process.pid],
      ['Delete data', 'keyword', flag(false)],
      ['5 Minute Weighted Load Average', 'decimal', round(five / cores)],
    ]);
  }

  #keep(table: string, source: string, readings: Reading[]): void {
    const isShared = this.#measured === 'own';
    const present = readings.filter(
      ([name, , value]) => value !== null && !(isShared && OF_THE_MACHINE.has(name)),
    );
    const key = [table, source, ...present.map(([name]) => name)].join('\n');
    let shape = this.#shapes.get(key);
    if (!shape) {
      const fields = present.map(([name, type, , units]) => ({ name, type, ...(units ? { units } : {}) }));
      shape = { table, source, fields };
      this.#shapes.set(key, shape);
    }
    const rows = [{ eventAt: Date.now(), values: present.map(([, , value]) => value) }];
    this.#sink.append({ captures: [{ shape, rows }] });
  }
}

const hoursOf = (seconds: number): number => round(seconds / 3600);

interface Meter {
  read(): { cpu: number | null; memory: number };
}

function meterOf(measured: Measured): Meter {
  if (measured === 'own') return new OwnMeter();
  const cpu = new CpuMeter();
  return { read: () => ({ cpu: cpu.read(), memory: memoryUsage().memory }) };
}
