import type { Caller } from '../access/caller.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { StreamOf, Telemetry, TelemetryReader, Windows } from '../telemetry/telemetry.service.ts';
import { isMeasured, labelsOf, metricName, type PromStream, passing } from './prometheus.streams.ts';
import { evaluate } from './promql.evaluate.ts';
import { PromqlFault } from './promql.fault.ts';
import { type Matcher, parsePromql } from './promql.parse.ts';
import { keyOf, type Labels, type Line, someLabels, type Value } from './promql.values.ts';
import { demandWork, overWindows, type RangeFunction, stepsIn } from './promql.windows.ts';

/** Points of one line. Source: Prometheus, web/api/v1. */
const STEPS_LIMIT = 11_000;
const STREAMS_LIMIT = 2000;
const POINTS_LIMIT = 2_000_000;

export interface RangeQuery {
  query: string;
  /** Epoch ms. */
  start: number;
  end: number;
  stepMs: number;
  lookbackMs: number;
}

/** What is known of a metric. */
export interface Metadata {
  type: 'gauge';
  help: string;
  unit: string;
}

/** The telemetry of a workgroup in the words of Prometheus: each numeric field of each source is a series. */
export class Prometheus {
  readonly #telemetry: Telemetry;
  readonly #registry: DeviceRegistry;

  constructor(telemetry: Telemetry, registry: DeviceRegistry) {
    this.#telemetry = telemetry;
    this.#registry = registry;
  }

  /** The value of a query at each step. Throws `PromqlFault`, `search.timed_out`, `search.too_much`. */
  async query(by: Caller, asked: RangeQuery, signal?: AbortSignal): Promise<Value> {
    const { query, start, end, stepMs, lookbackMs } = asked;
    if (stepsIn({ start, end, stepMs, rangeMs: 0 }) > STEPS_LIMIT)
      throw new PromqlFault(
        `exceeded maximum resolution of ${STEPS_LIMIT} points per timeseries. Try decreasing the query resolution (?step=XX)`,
      );
    const measured = (matchers: readonly Matcher[], windows: Windows, of: RangeFunction) =>
      this.#measured(by, matchers, windows, of, signal);
    return evaluate(parsePromql(query), { start, end, stepMs, lookbackMs, measured });
  }

  async #measured(
    by: Caller,
    matchers: readonly Matcher[],
    windows: Windows,
    of: RangeFunction,
    signal: AbortSignal | undefined,
  ): Promise<Line[]> {
    const reader = this.#telemetry.for(by);
    const names = this.#namesOf(by);
    const lines: Line[] = [];
    const isWanted = passing(matchers);
    let streams = 0;
    for (const { table, fields, sources } of await this.#among(reader, names, matchers, signal)) {
      streams += fields.length * sources.length;
      demandFew(streams, stepsIn(windows));
      demandWork(windows, streams);
      const found = await reader.pieces(
        { ...windows, table, fields, streams: sources, more: of.more },
        signal,
      );
      for (const { device, source, field, pieces } of found) {
        const labels = labelsOf({ device, table, source, field }, names.get(device) ?? '');
        if (isWanted(labels)) lines.push({ labels, values: overWindows(pieces, windows, of) });
      }
      await breath();
    }
    return lines;
  }

  /** Tables, fields and sources that the matchers may mean. */
  async #among(
    reader: TelemetryReader,
    names: ReadonlyMap<string, string>,
    matchers: readonly Matcher[],
    signal: AbortSignal | undefined,
  ): Promise<{ table: string; fields: string[]; sources: StreamOf[] }[]> {
    const isField = passing(matchers, ['__name__', 'table', 'field']);
    const isSource = passing(matchers, ['device', 'device_name', 'source']);
    const among: { table: string; fields: string[]; sources: StreamOf[] }[] = [];
    for (const table of await reader.tables()) {
      const fields = (await reader.fieldTypes(table))
        .filter(
          ({ type, field }) => isMeasured(type) && isField({ __name__: metricName(field), table, field }),
        )
        .map(({ field }) => field);
      if (fields.length === 0) continue;
      const sources = (await reader.streams(table, signal)).filter(({ device, source }) =>
        isSource({ device, device_name: names.get(device) ?? '', source }),
      );
      if (sources.length > 0) among.push({ table, fields: [...new Set(fields)], sources });
    }
    return among;
  }

  /** The series that any of the selectors names, by the newest event of each source; without selectors all of them. */
  async series(
    by: Caller,
    selectors: readonly (readonly Matcher[])[],
    signal?: AbortSignal,
  ): Promise<Labels[]> {
    return (await this.#streams(by, selectors, signal)).map(({ labels }) => labels);
  }

  async labelValues(
    by: Caller,
    label: string,
    selectors: readonly (readonly Matcher[])[],
    signal?: AbortSignal,
  ): Promise<string[]> {
    const all = await this.#streams(by, selectors, signal);
    return [...new Set(all.map(({ labels }) => labels[label] ?? ''))].filter((one) => one !== '').sort();
  }

  /** What is known of each metric; a name may stand for fields of several tables. */
  async metadata(by: Caller): Promise<Map<string, Metadata[]>> {
    const reader = this.#telemetry.for(by);
    const found = new Map<string, Metadata[]>();
    for (const table of await reader.tables()) {
      for (const { field, type, units } of await reader.fieldTypes(table)) {
        if (!isMeasured(type)) continue;
        const name = metricName(field);
        const known = found.get(name) ?? [];
        known.push({ type: 'gauge', help: `${field} (${table})`, unit: units });
        found.set(name, known);
      }
    }
    return found;
  }

  async #streams(
    by: Caller,
    selectors: readonly (readonly Matcher[])[],
    signal: AbortSignal | undefined,
  ): Promise<PromStream[]> {
    const reader = this.#telemetry.for(by);
    const names = this.#namesOf(by);
    const tests = selectors.map((matchers) => passing(matchers));
    const all: PromStream[] = [];
    for (const table of await reader.tables()) {
      const types = new Map((await reader.fieldTypes(table)).map(({ field, type }) => [field, type]));
      for (const { device, source, fields } of await reader.streams(table, signal)) {
        for (const field of fields) {
          if (!isMeasured(types.get(field) ?? 'decimal')) continue;
          const stream = { device, table, source, field };
          const labels = labelsOf(stream, names.get(device) ?? '');
          if (tests.length === 0 || tests.some((passes) => passes(labels))) all.push({ ...stream, labels });
        }
      }
      await breath();
    }
    return all;
  }

  #namesOf({ workgroup, devices }: Caller): Map<string, string> {
    const all = this.#registry.visible(workgroup, devices);
    return new Map(all.map(({ id, name }) => [id, name]));
  }
}

function demandFew(streams: number, steps: number): void {
  if (streams > STREAMS_LIMIT || streams * steps > POINTS_LIMIT)
    throw new PromqlFault(
      `the query would read ${streams} series at ${steps} steps: ask for up to ${STREAMS_LIMIT} series and ${POINTS_LIMIT} points`,
      'execution',
    );
}

/** Lets others have their turn. */
const breath = () => new Promise<void>((done) => setImmediate(done));

/** A value as Prometheus writes it. */
export function written(value: Value, times: readonly number[], isRange: boolean): unknown {
  const at = (i: number) => (times[i] as number) / 1000;
  if (value.kind === 'string') {
    if (isRange)
      throw new PromqlFault(
        'invalid expression type "string" for range query, must be Scalar or instant Vector',
      );
    return { resultType: 'string', result: [at(0), value.text] };
  }
  if (value.kind === 'scalar' && !isRange)
    return { resultType: 'scalar', result: [at(0), numberText(value.values[0] as number)] };
  const lines = value.kind === 'scalar' ? [{ labels: {}, values: value.values }] : value.lines;
  if (!isRange) {
    const result = lines.flatMap(({ labels, values: [first] }) =>
      first === undefined ? [] : [{ metric: plain(labels), value: [at(0), numberText(first)] }],
    );
    return { resultType: 'vector', result };
  }
  const result = lines.map(({ labels, values }) => ({
    metric: plain(labels),
    values: values.flatMap((one, i) => (one === undefined ? [] : [[at(i), numberText(one)]])),
  }));
  const filled = result.filter(({ values }) => values.length > 0);
  return {
    resultType: 'matrix',
    result: filled.sort((a, b) => (keyOf(a.metric) < keyOf(b.metric) ? -1 : 1)),
  };
}

/** A label without a text is none. */
const plain = (labels: Labels): Labels => someLabels(labels, (name) => labels[name] !== '');

function numberText(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}
