import type { SetpointKind } from '@albedo/contract/schedules/setpoints';
import type { Column, PluginRecord, Value } from '@albedo/plugin-kit/records/record';

/** A setpoint, or else the machine or the provider itself. */
type Topic = SetpointKind | 'heartbeat' | null;

/** What one line of the table `control` says; what does not apply is left out. */
export interface ControlLine {
  at: number;
  inverter: string;
  setpoint: SetpointKind;
  provider?: string;
  value?: string;
  action: 'write' | 'renew' | 'restore' | 'check' | 'foreign write' | 'over by its timer' | 'release';
  register?: string;
  before?: number;
  written?: number;
  readBack?: number;
  code?: 6 | 16;
  result?: string;
  powerW?: number | null;
  writesToday?: number;
}

const CONTROL: Column[] = [
  { name: 'Setpoint', type: 'keyword' },
  { name: 'Provider', type: 'keyword' },
  { name: 'Value', type: 'keyword' },
  { name: 'Action', type: 'keyword' },
  { name: 'Register', type: 'keyword' },
  { name: 'Before', type: 'integer' },
  { name: 'Written', type: 'integer' },
  { name: 'Read Back', type: 'integer' },
  { name: 'Function', type: 'integer' },
  { name: 'Result', type: 'keyword' },
  { name: 'AC Power', type: 'decimal', units: 'W' },
  { name: 'Persistent Writes Today', type: 'integer' },
];
const ERRORS: Column[] = [
  { name: 'Setpoint', type: 'keyword' },
  { name: 'Attempts', type: 'integer' },
  { name: 'Message', type: 'keyword' },
];
const STREAM: Column[] = [
  { name: 'Active Power', type: 'keyword' },
  { name: 'Cos Phi', type: 'keyword' },
  { name: 'Reactive Power', type: 'keyword' },
  { name: 'Obeyed', type: 'keyword' },
];
/** Lines that wait to be written; the oldest go first. */
const MOST_WAITING = 20_000;

/** Everything that was done and went wrong, until the service writes it. */
export class Journal {
  /** First part of the sources. */
  plant: string;
  #waiting: PluginRecord[] = [];
  /** Faults that have been told, and not ended. */
  readonly #told = new Map<string, string>();

  constructor(plant: string) {
    this.plant = plant;
  }

  control(line: ControlLine): void {
    const values: Value[] = [
      line.setpoint,
      line.provider ?? null,
      line.value ?? null,
      line.action,
      line.register ?? null,
      line.before ?? null,
      line.written ?? null,
      line.readBack ?? null,
      line.code ?? null,
      line.result ?? null,
      line.powerW ?? null,
      line.writesToday ?? null,
    ];
    this.#add('control', [this.plant, line.inverter], CONTROL, values, line.at);
  }

  /** Told once as long as it stays the same; `of` is an inverter or a provider. */
  error(at: number, of: string, topic: Topic, message: string, attempts: number | null = null): void {
    const key = `${of}/${topic ?? ''}`;
    if (this.#told.get(key) === message) return;
    this.#told.set(key, message);
    this.#add('control-errors', [this.plant, of], ERRORS, [topic, attempts, message], at);
  }

  /** What was told of it is over. */
  well(of: string, topic: Topic): void {
    this.#told.delete(`${of}/${topic ?? ''}`);
  }

  /** The texts of what a provider says, and the kinds of it that are obeyed. */
  stream(at: number, provider: string, texts: (string | null)[], obeyed: SetpointKind[]): void {
    const values = [...texts, obeyed.length === 0 ? null : obeyed.join(' ')];
    this.#add('control', ['providers', provider], STREAM, values, at);
  }

  take(): PluginRecord[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  #add(table: string, source: string[], columns: Column[], values: Value[], at: number): void {
    this.#waiting.push({ table, source, columns, values, at });
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
  }
}
