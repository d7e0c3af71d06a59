import { AGENT_ERRORS } from '@albedo/contract/telemetry/telemetry.schema';
import type { Log } from '../log.ts';
import type { Shape } from './outbox.events.ts';
import type { Sink } from './sink.ts';

export interface CaptureFault {
  table: string;
  source: string;
  /** Kind of scenario: run, tail, dynamic, config, outbox, … */
  scenario: string;
  column: string;
  message: string;
  line: string;
}

const HOUR_MS = 3_600_000;
const TELL_MS = 60_000;
const MAX_KEYS = 10_000;
const MAX_LINE = 1000;

/** A fault that was told, and how often it came again since. */
interface Told {
  fault: CaptureFault;
  hour: number;
  again: number;
}

/**
 * Turns faults into events of the table `agent_errors`: one for each table, source, column, kind of message and hour, so that a
 * broken sensor does not fill the store, and one more at the end of the hour with how often it came again. Everything is
 * logged as well, repeats at most once a minute.
 */
export class Faults {
  readonly #sink: Pick<Sink, 'append'>;
  readonly #log: Log;
  readonly #told = new Map<string, Told>();
  readonly #shapes = new Map<string, Shape>();
  #timer: NodeJS.Timeout | null = null;

  constructor(sink: Pick<Sink, 'append'>, log: Log) {
    this.#sink = sink;
    this.#log = log;
  }

  start(): void {
    this.#timer = setInterval(() => this.#tellCounts(hourNow()), TELL_MS);
    this.#timer.unref();
  }

  /** Tells what was only counted so far. */
  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    this.#tellCounts(Number.POSITIVE_INFINITY);
  }

  report(fault: CaptureFault): void {
    const { table, source, scenario, column, message } = fault;
    const place = [table, source].filter(Boolean).join('.');
    const named = [place, column && `column ${column}`].filter(Boolean).join(', ');
    this.#log.warn(`${scenario}: ${named ? `${named}: ` : ''}${message}`);
    const key = `${table}\n${source}\n${column}\n${kindOf(message)}`;
    const known = this.#told.get(key);
    if (known?.hour === hourNow()) {
      known.again++;
      known.fault = fault;
      return;
    }
    if (known) this.#tellCount(known);
    if (this.#told.size >= MAX_KEYS) this.#tellCounts(Number.POSITIVE_INFINITY);
    this.#told.set(key, { fault, hour: hourNow(), again: 0 });
    this.#tell(fault, 1);
  }

  /** Of the hours before this one. */
  #tellCounts(hour: number): void {
    for (const [key, told] of this.#told) {
      if (told.hour >= hour) continue;
      this.#told.delete(key);
      this.#tellCount(told);
    }
  }

  #tellCount({ fault, again }: Told): void {
    if (again > 0) this.#tell(fault, again);
  }

  #tell({ table, source, scenario, column, message, line: whole }: CaptureFault, count: number): void {
    const line = whole.length > MAX_LINE ? `${whole.slice(0, MAX_LINE)}…` : whole;
    const texts = [table, scenario, column, message, line].map((text) => (text === '' ? null : text));
    this.#sink.append({
      captures: [
        {
          shape: this.#shape(source || 'agent'),
          rows: [{ eventAt: Date.now(), values: [...texts, count] }],
        },
      ],
    });
  }

  #shape(source: string): Shape {
    const known = this.#shapes.get(source);
    if (known) return known;
    const fields = ['table', 'scenario', 'column', 'message', 'line'].map((name) => ({
      name,
      type: 'keyword' as const,
    }));
    const count = { name: 'count', type: 'integer' as const };
    const shape: Shape = { table: AGENT_ERRORS, source, fields: [...fields, count] };
    this.#shapes.set(source, shape);
    return shape;
  }
}

const hourNow = (): number => Math.floor(performance.now() / HOUR_MS);

/** A message without the values in it: two that differ in those are the same fault. */
const kindOf = (message: string): string => message.replace(/"[^"]*"/g, '""').replace(/\d+/g, '0');
