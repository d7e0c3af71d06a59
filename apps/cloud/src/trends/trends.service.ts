import type { RolePlace } from '@albedo/contract/field-roles/source-roles';
import type { SeriesKey, SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import type { Trend } from '@albedo/contract/trends/trends.schema';
import type { Caller } from '../access/caller.ts';
import type { DeviceScope } from '../access/device-scope.ts';
import type { FieldRoles } from '../field-roles/field-roles.service.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';

const SPAN_MS = 24 * 3_600_000;
const STEP_MS = 30 * 60_000;
/** An inverter that was silent so long adds nothing to the power of now. */
const SILENT_MS = 15 * 60_000;
/** Where the agent says how busy its machine is, which is also what the health of a device is judged by. */
const CPU = { table: 'data', field: 'cpu_usage' };

/** One stream of a trend, with its newest value. */
interface Part {
  device: string;
  of: Trend['of'];
  key: SeriesKey;
  place: Pick<RolePlace, 'factor' | 'offset'>;
  last: number;
  lastAt: number;
}

/** The last day of devices, for lists: two questions to the store for all of them, however many inverters they have. */
export class Trends {
  readonly #telemetry: Telemetry;
  readonly #roles: FieldRoles;

  constructor({ telemetry, roles }: { telemetry: Telemetry; roles: FieldRoles }) {
    this.#telemetry = telemetry;
    this.#roles = roles;
  }

  /** In the order of `devices`; those that the caller does not see, or that have neither power nor CPU, are missing. */
  async list(caller: Caller, devices: readonly string[], signal?: AbortSignal): Promise<Trend[]> {
    const now = Date.now();
    const ids = [...new Set(devices.map((one) => one.toLowerCase()))];
    const narrow = { ...caller, devices: narrowed(caller.devices, ids) };
    const plants = await this.#powers(narrow, signal);
    const found = new Set(plants.map(({ device }) => device));
    const parts = [...plants, ...(found.size < ids.length ? await this.#loads(narrow, found, signal) : [])];
    if (parts.length === 0) return [];
    // Steps begin at the same instants for everybody, so that a list that is asked for again draws the same line.
    const from = Math.floor((now - SPAN_MS) / STEP_MS) * STEP_MS + STEP_MS;
    const points = await this.#telemetry
      .for(caller)
      .series(
        { from, to: now, maxPoints: 4 * (SPAN_MS / STEP_MS), series: parts.map(({ key }) => key) },
        signal,
      );
    const curves = parts.map((part, i) => ({ ...part, values: means(points[i], part.place, from, now) }));
    return ids.flatMap((device): Trend[] => {
      const own = curves.filter((one) => one.device === device);
      const [first] = own;
      if (!first) return [];
      const fresh = own.filter(({ of, lastAt }) => of === 'cpu' || now - lastAt < SILENT_MS);
      return [
        {
          device,
          of: first.of,
          from,
          stepMs: STEP_MS,
          values: first.values.map((_, at) =>
            joined(
              first.of,
              own.map(({ values }) => values[at] ?? null),
            ),
          ),
          last: joined(
            first.of,
            fresh.map(({ last }) => last),
          ),
        },
      ];
    });
  }

  /** What the inverters of plants give. */
  async #powers(caller: Caller, signal: AbortSignal | undefined): Promise<Part[]> {
    const sources = await this.#roles.ofPlants(caller, signal);
    return sources.flatMap(({ device, kind, places, table, source, values, eventAt }): Part[] => {
      const place = kind === 'inverter' ? places.acPower : undefined;
      const value = place && values[place.field];
      if (!place || typeof value !== 'number') return [];
      const key = { device, table, source, field: place.field };
      return [
        { device, of: 'power', key, place, last: value * place.factor + place.offset, lastAt: eventAt },
      ];
    });
  }

  async #loads(
    caller: Caller,
    without: ReadonlySet<string>,
    signal: AbortSignal | undefined,
  ): Promise<Part[]> {
    const sources = await this.#telemetry.for(caller).latestIn([CPU.table], signal);
    return sources.flatMap(({ device, source, values, eventAt }): Part[] => {
      const value = values[CPU.field];
      if (without.has(device) || typeof value !== 'number') return [];
      const place = { factor: 1, offset: 0 };
      return [{ device, of: 'cpu', key: { device, source, ...CPU }, place, last: value, lastAt: eventAt }];
    });
  }
}

/** Powers add up; of several figures of one machine the mean counts. Null where there is none. */
function joined(of: Trend['of'], values: readonly (number | null)[]): number | null {
  const known = values.filter((one) => one !== null);
  if (known.length === 0) return null;
  const sum = known.reduce((total, one) => total + one, 0);
  return of === 'power' ? sum : sum / known.length;
}

/** Means of the steps, weighted by time: each value holds until the next one, and not over a gap. */
function means(
  points: SeriesPoints | undefined,
  { factor, offset }: Pick<RolePlace, 'factor' | 'offset'>,
  from: number,
  now: number,
): (number | null)[] {
  const count = Math.ceil((now - from) / STEP_MS);
  const areas = new Float64Array(count);
  const lengths = new Float64Array(count);
  const { times = [], avg = [], stepMs = 0 } = points ?? {};
  times.forEach((at, i) => {
    const value = avg[i] ?? null;
    if (value === null) return;
    const usual = stepMs > 0 ? stepMs : at - (times[i - 1] ?? at);
    const to = Math.min(now, times[i + 1] ?? at + usual);
    for (let begin = at; begin < to; ) {
      const step = Math.floor((begin - from) / STEP_MS);
      const end = Math.min(to, from + (step + 1) * STEP_MS);
      areas[step] = (areas[step] ?? 0) + (value * factor + offset) * (end - begin);
      lengths[step] = (lengths[step] ?? 0) + (end - begin);
      begin = end;
    }
  });
  return Array.from(areas, (area, i) => (lengths[i] ? rounded(area / lengths[i]) : null));
}

/** A line of a few pixels needs no more digits. */
const rounded = (value: number): number => Number(value.toPrecision(4));

/** The devices among these that the scope has; what is asked with it concerns no others. */
function narrowed(scope: DeviceScope, ids: readonly string[]): DeviceScope {
  const wanted = ids.filter((id) => scope.has(id));
  const set = new Set(wanted);
  return {
    isAll: false,
    has: (id) => set.has(id),
    sources: (id) => scope.sources(id),
    ids: () => wanted,
    version: () => `${scope.version()} ${wanted.join(' ')}`,
  };
}
