import {
  type EnergyConfigs,
  isSignalRole,
  type RoleOrigin,
} from '@albedo/contract/energy/energy-config.schema';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import type { FieldUnits, WholeWorkgroup } from '../telemetry/telemetry.service.ts';
import { DAY_MS } from './energy-calendar.ts';

/** So far back a value of a field is looked for; before that, the newest event of its source says it. */
const BACK_DAYS = 31;

type FieldOrigin = Pick<Extract<RoleOrigin, { from: 'field' }>, 'table' | 'field'>;

/** The newest value of a field, and whether the very source that was asked about sent it. */
interface NewestValue {
  text: string;
  isOwn: boolean;
}

/** The newest values of the fields that ratings, places and planes are mapped to. */
export class NewestFields {
  /** By table, field and device, then by source. */
  readonly #values = new Map<string, Map<string, string>>();
  readonly #units: FieldUnits;

  constructor(units: FieldUnits = new Map()) {
    this.#units = units;
  }

  add(origin: FieldOrigin, device: string, source: string, value: string | number): void {
    const key = keyOf(origin, device);
    const own = this.#values.get(key) ?? new Map<string, string>();
    this.#values.set(key, own);
    if (!own.has(source)) own.set(source, String(value));
  }

  /** Of the source itself; where it does not have the field, of the first source of its device that does. */
  of(origin: FieldOrigin, device: string, source: string | null): NewestValue | null {
    const own = this.#values.get(keyOf(origin, device));
    const text = source === null ? undefined : own?.get(source);
    if (text !== undefined) return { text, isOwn: true };
    const [first] = [...(own ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return first ? { text: first[1], isOwn: false } : null;
  }

  unitsOf({ table, field }: FieldOrigin): string | null {
    return this.#units.get(table)?.get(field) ?? null;
  }
}

const keyOf = ({ table, field }: FieldOrigin, device: string): string => `${table}\n${field}\n${device}`;

/**
 * One question for each table, over all devices. What was sent before today comes first, so that a field which moves has
 * days computed again once a day at most.
 */
export async function readNewest(
  reader: WholeWorkgroup,
  configs: EnergyConfigs,
  known: readonly KnownSource[],
  signal?: AbortSignal,
): Promise<NewestFields> {
  const byTable = Map.groupBy(mappedFields(configs), ({ table }) => table);
  const tables = [...byTable.keys()].filter((table) => known.some((one) => one.table === table));
  if (tables.length === 0) return new NewestFields();
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const edges = [today - BACK_DAYS * DAY_MS, today, today + DAY_MS];
  const [units, latest, ...slots] = await Promise.all([
    reader.units(),
    reader.latestIn(tables, signal),
    ...tables.map(async (table) => {
      const fields = [...new Set(byTable.get(table)?.map(({ field }) => field))];
      const streams = known
        .filter((one) => one.table === table)
        .map(({ deviceId, source }) => ({ device: deviceId, source }));
      const query = { table, fields, streams, edges, stepMs: BACK_DAYS * DAY_MS };
      return { table, found: await reader.daySlots(query, signal) };
    }),
  ]);
  const newest = new NewestFields(units);
  for (const { table, found } of slots)
    for (const { device, source, field, slots: values } of found.toSorted((a, b) => a.at - b.at)) {
      const value = values.at(-1)?.[2];
      if (value !== undefined) newest.add({ table, field }, device, source, value);
    }
  for (const { device, table, source, values } of latest)
    for (const origin of byTable.get(table) ?? []) {
      const value = Object.hasOwn(values, origin.field) ? values[origin.field] : null;
      if (value !== null && value !== undefined) newest.add(origin, device, source, value);
    }
  return newest;
}

/** The part of a configuration that says where roles stand; not all of them have one. */
interface Mapped {
  roles?: Roles;
  devices?: Record<string, Roles>;
  entities?: Record<string, Roles>;
}
type Roles = Partial<Record<string, RoleOrigin>>;

function mappedFields(configs: EnergyConfigs): FieldOrigin[] {
  const all = Object.values(configs) as Mapped[];
  return all.flatMap(({ roles = {}, devices = {}, entities = {} }) =>
    [roles, ...Object.values(devices), ...Object.values(entities)].flatMap((own) =>
      Object.entries(own).flatMap(([role, origin]) =>
        origin?.from === 'field' && !isSignalRole(role) ? [origin] : [],
      ),
    ),
  );
}
