import { isInverter, type PlantReading } from '@albedo/contract/plants/plant-reading';
import type { PlantFinding } from '@albedo/contract/plants/plants.schema';
import type { SeriesKey } from '@albedo/contract/telemetry/telemetry.schema';
import { inputShortfall } from '@albedo/energy/input-shortfall';
import { findShortfalls, goodYields, type PlantHours } from '@albedo/energy/shortfall';
import type { RoledLatest } from '../field-roles/field-roles.service.ts';
import type { TelemetryReader } from '../telemetry/telemetry.service.ts';
import { dayOf } from './plant-day.ts';
import { integralOf, meansOf } from './plant-series.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Weeks that say what a plant can do. */
const DAYS = 45;
/** What was found holds so long, ms; a shorter time while the past is still arriving. */
const FRESH_MS = { whole: 3 * HOUR_MS, partial: 15 * 60_000 };
/** Late events are in the store after so long, ms: what rests on the days that they belong to is computed again then. */
const LATE_MS = 60_000;
/** Plants of which findings are remembered. */
const REMEMBERED = 5000;

/** What the past weeks say of a plant. */
export interface PlantPast {
  findings: PlantFinding[];
  /** What the plant makes of the light on its good days, W for each W/m²; null where that is not known. */
  wattsPerWm2: number | null;
}

const NOTHING: PlantPast = { findings: [], wattsPerWm2: null };

export interface PastQuery {
  device: string;
  sources: readonly RoledLatest[];
  zone: string;
  reader: TelemetryReader;
  now: number;
}

/**
 * What plants give less than they could, from whole days. It is computed once and remembered for hours; plants of a list
 * are looked at one after the other, while the list shows what is known already.
 */
export class PlantFindings {
  readonly #known = new Map<string, { until: number; of: string; to: number; past: PlantPast }>();
  readonly #waiting = new Map<string, PastQuery>();
  #working: Promise<void> | null = null;

  /** Computes what is not known. */
  async of(query: PastQuery, signal?: AbortSignal): Promise<PlantPast> {
    const known = this.#current(query);
    if (known) return known;
    const { to } = spanOf(query);
    const { past, days } = await readPast(query, signal);
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    const freshMs = days > DAYS * 0.9 ? FRESH_MS.whole : FRESH_MS.partial;
    this.#known.set(query.device, { until: query.now + freshMs, of: keyOf(query), to, past });
    return past;
  }

  /** What is known now; what is not, or no longer, is computed for the next time. */
  soon(query: PastQuery): PlantPast {
    const known = this.#current(query);
    if (known) return known;
    this.#waiting.set(query.device, query);
    this.#working ??= this.#work();
    const older = this.#known.get(query.device);
    return older?.of === keyOf(query) ? older.past : NOTHING;
  }

  /** A device hands in events of this time, epoch ms: of days that were computed already, they are computed again. */
  late(device: string, oldestAt: number, now: number): void {
    const known = this.#known.get(device);
    if (known && oldestAt < known.to && oldestAt >= known.to - DAYS * DAY_MS)
      known.until = Math.min(known.until, now + LATE_MS);
  }

  /** Resolves when nothing waits to be computed. */
  async settled(): Promise<void> {
    await this.#working;
  }

  #current(query: PastQuery): PlantPast | null {
    const known = this.#known.get(query.device);
    return known && known.until > query.now && known.of === keyOf(query) ? known.past : null;
  }

  async #work(): Promise<void> {
    for (const [device, query] of this.#waiting) {
      this.#waiting.delete(device);
      // A plant whose past cannot be read now has no findings; the next list asks again.
      await this.of(query).catch(() => {});
    }
    this.#working = null;
  }
}

/** What the findings rest on: they are other ones once somebody corrects what a field means. */
const keyOf = ({ zone, sources }: PastQuery): string =>
  JSON.stringify([zone, sources.map(({ table, source, kind, places }) => [table, source, kind, places])]);

/** The whole days that are looked at: today is none of them. */
function spanOf({ now, zone }: Pick<PastQuery, 'now' | 'zone'>): { from: number; to: number } {
  const to = dayOf(now, zone).from;
  return { from: to - DAYS * DAY_MS, to };
}

async function readPast(
  { sources, zone, reader, now, device }: PastQuery,
  signal?: AbortSignal,
): Promise<{ past: PlantPast; days: number }> {
  const { from, to } = spanOf({ now, zone });
  const inverters = sources.filter((one) => isInverter(one) && (one.places.acPower || one.places.dcPower));
  if (inverters.length === 0) return { past: NOTHING, days: 0 };
  const sensor =
    sources.find(({ places }) => places.irradiancePoa) ?? sources.find(({ places }) => places.irradianceGhi);
  const seriesOf = ({ table, source }: RoledLatest, field: string): SeriesKey => ({
    device,
    table,
    source,
    field,
  });
  const places = inverters.map(
    (one) => one.places.acPower ?? one.places.dcPower ?? { field: '', factor: 1, offset: 0 },
  );
  const light = sensor && (sensor.places.irradiancePoa ?? sensor.places.irradianceGhi);
  const series = inverters.map((one, i) => seriesOf(one, places[i]?.field ?? ''));
  if (sensor && light) series.push(seriesOf(sensor, light.field));
  const points = await reader.buckets({ from, to, stepMs: HOUR_MS, series }, signal);
  const grid = { from, stepMs: HOUR_MS, count: DAYS * 24 };
  const means = points.map((one, i) =>
    meansOf(one, places[i] ?? light ?? { field: '', factor: 1, offset: 0 }, grid, to),
  );
  const dayStarts = Array.from({ length: grid.count }, (_, i) => dayOf(from + i * HOUR_MS, zone).from);
  const hours: PlantHours = {
    day: dayStarts,
    powerW: means.slice(0, inverters.length),
    irradianceWm2: light ? (means[inverters.length] ?? null) : null,
  };
  const findings = await Promise.all(
    findShortfalls(hours).map(async ({ inverter, part, sinceDay, by }): Promise<PlantFinding> => {
      const latest = inverter === null ? undefined : inverters[inverter];
      const input = latest && (await inputOf({ reader, device, signal }, latest, { sinceDay, to }));
      return {
        kind: 'below',
        source: latest?.source ?? null,
        since: sinceDay,
        percent: Math.round(part * 1000) / 10,
        by,
        ...(input ? { input } : {}),
      };
    }),
  );
  const yields = goodYields(hours);
  const wattsPerWm2 = yields.includes(null) ? null : yields.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  const days = new Set(dayStarts.filter((_, i) => hours.powerW.some((one) => one[i] !== null))).size;
  return { past: { findings, wattsPerWm2 }, days };
}

/** Most days before and after an inverter began to give less that are compared to find the input. */
const INPUT_DAYS = 7;
/** Most inputs of an inverter; longer rows of numbered fields are something else. */
const INPUTS = 48;
/** How inputs are named: `DC Power 3`, `MPPT 1 Power`, `PV2 Current`, `string_4_current`. */
const INPUT =
  /^(?=.*\b(?:dc|pv ?\d*|mppt ?\d*|string|input|tracker)\b)(?=.*\b(power|current)\b)\D*(\d{1,2})\b\D*$/i;

/**
 * The inputs of a source by number: the fields of power or, if there are none, of current. If there are several rows of
 * numbered fields, such as trackers and strings, the longest one.
 */
export function inputsOf(fields: readonly string[]): Map<string, string> {
  const inputs = fields.flatMap((field) => {
    const words = field.replaceAll('_', ' ');
    const [, what = '', number] = INPUT.exec(words) ?? [];
    if (number === undefined) return [];
    const stem = words.replace(/\d+/, '').replace(/\s+/g, ' ').toLowerCase();
    return [{ field, number, stem, isPower: what.toLowerCase() === 'power' }];
  });
  const powers = inputs.filter(({ isPower }) => isPower);
  const rows = [...Map.groupBy(powers.length > 0 ? powers : inputs, ({ stem }) => stem).values()];
  const longest = rows.reduce((a, b) => (b.length > a.length ? b : a), []);
  return new Map(longest.slice(0, INPUTS).map(({ number, field }) => [number, field]));
}

/** The input because of which an inverter gives less since a day; undefined if it is not a single one. */
async function inputOf(
  { reader, device, signal }: Pick<PastQuery, 'reader' | 'device'> & { signal?: AbortSignal | undefined },
  inverter: RoledLatest,
  { sinceDay, to }: { sinceDay: number; to: number },
): Promise<PlantFinding['input']> {
  const { table, source } = inverter;
  const inputs = [...inputsOf(Object.keys(inverter.values))];
  if (inputs.length < 2) return undefined;
  // The loss may have begun in the middle of its first day.
  const from = Math.max(to - INPUT_DAYS * DAY_MS, Math.min(sinceDay + DAY_MS, to - DAY_MS));
  const series = inputs.map(([, field]): SeriesKey => ({ device, table, source, field }));
  const sums = async (span: { from: number; to: number }) => {
    const points = await reader.buckets({ ...span, stepMs: HOUR_MS, series }, signal);
    return points.map((hours) => integralOf(hours, { field: '', factor: 1, offset: 0 }, span.from, span.to));
  };
  const [before, now] = await Promise.all([
    sums({ from: sinceDay - INPUT_DAYS * DAY_MS, to: sinceDay }),
    sums({ from, to }),
  ]);
  const shortfall = inputShortfall(before, now);
  const name = shortfall ? inputs[shortfall.input]?.[0] : undefined;
  if (!shortfall || name === undefined) return undefined;
  return { name, percent: Math.round(shortfall.part * 1000) / 10 };
}

/** What the newest values say: inverters that stand, have a fault or are silent. `lastPowerAt` by source. */
export function findingsOfNow(
  { inverters, power }: PlantReading,
  lastPowerAt: (inverter: { table: string; source: string }) => number | null,
): PlantFinding[] {
  const silent = inverters.filter(({ state }) => state === 'silent');
  const of = (kind: PlantFinding['kind'], source: string | null, since: number | null): PlantFinding => ({
    kind,
    source,
    since,
    percent: null,
    by: null,
  });
  // One sentence says it when nobody answers.
  if (silent.length > 0 && silent.length === inverters.length)
    return [of('silent', null, Math.max(...silent.map(({ power: own }) => own.at ?? 0)) || power.at)];
  return inverters.flatMap((one) => {
    if (one.state === 'silent') return [of('silent', one.source, one.power.at)];
    return one.state === 'standing' || one.state === 'fault'
      ? [of(one.state, one.source, lastPowerAt(one))]
      : [];
  });
}
