import type { HistoryFault, HistoryPreview } from '@albedo/contract/history-imports/history-imports.schema';
import type { HistoryRecord } from '../mapping/history-records.ts';
import { textOf } from '../mapping/map-records.ts';
import { valueAt } from '../mapping/read-records.ts';
import type { NumberRange, Telemetry } from '../telemetry/telemetry.service.ts';
import { type HistoryEvent, HistoryMapper, type SettledPlan } from './history-mapper.ts';
import { HistoryWriter } from './history-writer.ts';
import { Stretches } from './replaced-events.ts';

type Found = Pick<
  HistoryPreview,
  | 'events'
  | 'existing'
  | 'repeated'
  | 'replaced'
  | 'firstAt'
  | 'lastAt'
  | 'sample'
  | 'faulty'
  | 'values'
  | 'faults'
  | 'devices'
>;

const SAMPLE = 20;
const FAULTS = 50;
const DEVICES = 500;
/** Instants that are remembered to find those that repeat. */
const REMEMBERED = 2_000_000;

export interface TrialOptions {
  plan: SettledPlan;
  workgroup: string;
  telemetry: Telemetry;
  /** Numbers of the import. */
  range: NumberRange;
  deviceOf: (text: string) => string | null;
  holdsForecasts: (table: string) => boolean;
}

/** What a plan would make of records, and what would be lost of them; nothing is stored. Without a plan it makes nothing. */
export class Trial {
  readonly #of: TrialOptions | null;
  readonly #mapper: HistoryMapper | null;
  readonly #writer: HistoryWriter | null;
  readonly #stretches = new Stretches();
  readonly #faults: HistoryFault[] = [];
  /** Instants of each stream with the same fields: a text for each of millions of events would fill the memory. */
  readonly #seen = new Map<string, Set<number>>();
  #remembered = 0;
  readonly #texts = new Set<string>();
  readonly #sample: HistoryEvent[] = [];
  #repeated = 0;

  constructor(of: TrialOptions | null) {
    this.#of = of;
    this.#mapper =
      of &&
      new HistoryMapper(
        of.plan,
        of.deviceOf,
        (fault) => {
          if (this.#faults.length < FAULTS) this.#faults.push(fault);
        },
        of,
      );
    this.#writer = of && new HistoryWriter({ ...of, mapping: of.plan.mapping, existing: of.plan.existing });
  }

  async add(records: readonly HistoryRecord[]): Promise<void> {
    const { deviceColumn = null } = this.#of?.plan ?? {};
    const events: HistoryEvent[] = [];
    for (const one of records) {
      if (deviceColumn !== null && 'record' in one && this.#texts.size < DEVICES)
        this.#texts.add(textOf(valueAt(one.record, deviceColumn))?.trim() ?? '');
      const event = this.#mapper?.event(one);
      if (!event) continue;
      events.push(event);
      if (this.#sample.length < SAMPLE) this.#sample.push(event);
      this.#stretches.add(event);
      this.#remember(event);
    }
    await this.#writer?.look(events);
  }

  async found(): Promise<Found> {
    const mapper = this.#mapper;
    const of = this.#of;
    const stretches = this.#stretches.all();
    const replaced =
      of?.plan.existing === 'replace' && stretches.length > 0
        ? await of.telemetry.asSystem('history import').others(of.workgroup, of.range, stretches)
        : { events: 0 };
    return {
      events: mapper?.events ?? 0,
      existing: this.#writer?.existing ?? 0,
      repeated: this.#repeated,
      replaced: replaced.events,
      firstAt:
        stretches.length === 0 ? null : stretches.reduce((a, { firstAt }) => Math.min(a, firstAt), Infinity),
      lastAt: stretches.length === 0 ? null : stretches.reduce((a, { lastAt }) => Math.max(a, lastAt), 0),
      sample: this.#sample.map(({ values, ...event }) => ({
        ...event,
        values: Object.fromEntries(
          (of?.plan.mapping.fields ?? []).map(({ name }, i) => [name, values[i] ?? null]),
        ),
      })),
      faulty: mapper?.faulty ?? 0,
      values: mapper?.values ?? 0,
      faults: this.#faults,
      devices: [...this.#texts].map((text) => ({ text, device: of?.deviceOf(text) ?? null })),
    };
  }

  /** Of those with the same stream, instant and fields the last one stays. */
  #remember({ device, table, source, at, values }: HistoryEvent): void {
    if (this.#remembered >= REMEMBERED) return;
    const fields = values.map((value) => (value === null ? '0' : '1')).join('');
    const key = `${fields} ${device} ${table} ${source}`;
    const seen = this.#seen.get(key) ?? new Set<number>();
    if (seen.size === 0) this.#seen.set(key, seen);
    if (seen.has(at)) {
      this.#repeated += 1;
      return;
    }
    seen.add(at);
    this.#remembered += 1;
  }
}
