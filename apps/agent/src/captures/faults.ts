import type { Log } from '../log.ts';
import type { Shape } from '../outbox/outbox.events.ts';
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
const MAX_KEYS = 10_000;
const MAX_LINE = 1000;

/**
 * Turns faults into events of the table `agent_errors`: one for each table, source, column and hour, so that a broken
 * sensor does not fill the store. Everything is logged as well, repeats at most once a minute.
 */
export class Faults {
  readonly #sink: Pick<Sink, 'append'>;
  readonly #log: Log;
  readonly #lastHour = new Map<string, number>();
  readonly #shapes = new Map<string, Shape>();

  constructor(sink: Pick<Sink, 'append'>, log: Log) {
    this.#sink = sink;
    this.#log = log;
  }

  report(fault: CaptureFault): void {
    const { table, source, scenario, column, message } = fault;
    const place = [table, source].filter(Boolean).join('.');
    const named = [place, column && `column ${column}`].filter(Boolean).join(', ');
    this.#log.warn(`${scenario}: ${named ? `${named}: ` : ''}${message}`);
    const key = `${table}\n${source}\n${column}`;
    const hour = Math.floor(performance.now() / HOUR_MS);
    if (this.#lastHour.get(key) === hour) return;
    if (this.#lastHour.size >= MAX_KEYS) this.#lastHour.clear();
    this.#lastHour.set(key, hour);
    const line = fault.line.length > MAX_LINE ? `${fault.line.slice(0, MAX_LINE)}…` : fault.line;
    const values = [table, scenario, column, message, line].map((text) => (text === '' ? null : text));
    this.#sink.append({
      captures: [{ shape: this.#shape(source || 'agent'), rows: [{ eventAt: Date.now(), values }] }],
    });
  }

  #shape(source: string): Shape {
    const known = this.#shapes.get(source);
    if (known) return known;
    const fields = ['table', 'scenario', 'column', 'message', 'line'].map((name) => ({
      name,
      type: 'keyword' as const,
    }));
    const shape: Shape = { table: 'agent_errors', source, fields };
    this.#shapes.set(source, shape);
    return shape;
  }
}
