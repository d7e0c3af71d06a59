import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import type { FieldRole } from '@albedo/contract/field-roles/field-roles';
import {
  CHOICES_LIMIT,
  type FieldChoice,
  type newFieldRole,
  type SourceRoles,
} from '@albedo/contract/field-roles/field-roles.schema';
import { guessRoles } from '@albedo/contract/field-roles/guess-roles';
import {
  explainRoles,
  type NamedSource,
  type RoledSource,
  roledSource,
} from '@albedo/contract/field-roles/source-roles';
import { CLOUD_TABLES } from '@albedo/contract/telemetry/telemetry.schema';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Manager } from '../access/manager.ts';
import { AUDIT_STREAM, type Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import type {
  FieldUnits,
  LatestOfDevice,
  Telemetry,
  TelemetryReader,
} from '../telemetry/telemetry.service.ts';
import type { FieldRolesStore } from './field-roles.store.ts';

/** The newest values of a source with where its roles stand. */
export type RoledLatest = LatestOfDevice & Pick<RoledSource, 'kind' | 'places'>;

/** What the fields of sources mean: guessed, and corrected by people. */
export class FieldRoles {
  readonly #store: FieldRolesStore;
  readonly #telemetry: Telemetry;
  readonly #audit: Audit;

  constructor(of: { store: FieldRolesStore; telemetry: Telemetry; audit: Audit }) {
    this.#store = of.store;
    this.#telemetry = of.telemetry;
    this.#audit = of.audit;
  }

  /** The sources of a device that the caller sees. */
  async list(caller: Caller, device: string): Promise<SourceRoles[]> {
    const { own, units } = await this.#sources(caller, device);
    const choices = await this.#store.of(caller.workgroup, device);
    return own.map((one) => explainRoles(named(one, units), choices));
  }

  /**
   * Throws `table.field_unknown` for a field that the source does not have, and for one of a source that the caller
   * does not see.
   */
  async set(
    caller: Caller,
    device: string,
    { choice, ...place }: z.output<typeof newFieldRole>,
    { email: by, address }: Manager,
  ): Promise<SourceRoles> {
    const { workgroup } = caller;
    const { own, units } = await this.#sources(caller, device);
    const source = own.find((one) => one.table === place.table && one.source === place.source);
    if (!source || !Object.hasOwn(source.values, place.field))
      throw new AppError('table.field_unknown', { table: place.table, field: place.field });
    let old: FieldChoice | undefined;
    const choices = await this.#store.change(workgroup, device, (kept) => {
      old = kept.find((one) => isAt(one, place));
      const others = kept.filter((one) => !isAt(one, place) && !takesFrom(one, place, choice?.role ?? null));
      const all = choice ? [...others, { ...place, ...choice }] : others;
      if (all.length > CHOICES_LIMIT)
        throw invalid('issue.too_many', { max: String(CHOICES_LIMIT) }, 'choice');
      return all;
    });
    if (!choices) throw new AppError('device.not_found', { id: device });
    this.#audit.record({
      workgroup,
      device,
      at: Date.now(),
      action: 'set_role',
      controller: 'field_roles',
      entity: `${place.table}/${place.source}`,
      attribute: place.field,
      oldValue: textOf(old),
      newValue: textOf(choice),
      by,
      address,
    });
    return explainRoles(named(source, units), choices);
  }

  /** The sources of one device with their newest values and roles; without what the cloud itself notes of it. */
  async latest(caller: Caller, device: string, signal?: AbortSignal): Promise<RoledLatest[]> {
    const { own, units } = await this.#sources(caller, device, signal);
    const choices = await this.#store.of(caller.workgroup, device);
    return own.map((one) => roled({ ...one, device }, units, choices));
  }

  /**
   * The sources of all devices that generate, store, meter or measure the weather, with newest values and roles. One
   * question to the store, over the tables that have such fields.
   */
  ofPlants(caller: Caller, signal?: AbortSignal): Promise<RoledLatest[]> {
    return this.#ofPlants(this.#telemetry.for(caller), caller.workgroup, signal);
  }

  /** As `ofPlants`, over the whole workgroup, for what watches a rollout. */
  inRollout(workgroup: string): Promise<RoledLatest[]> {
    return this.#ofPlants(this.#telemetry.asSystem('rollouts', workgroup), workgroup);
  }

  async #ofPlants(reader: TelemetryReader, workgroup: string, signal?: AbortSignal): Promise<RoledLatest[]> {
    const [units, choices] = await Promise.all([reader.units(), this.#store.inWorkgroup(workgroup)]);
    const corrected = new Set([...choices.values()].flat().map(({ table }) => table));
    const tables = [...units].filter(([table, fields]) => corrected.has(table) || isOfPlants(table, fields));
    if (tables.length === 0) return [];
    const names = tables.map(([table]) => table);
    const all = await reader.latestIn(names, signal);
    return all.map((one) => roled(one, units, choices.get(one.device) ?? []));
  }

  /** Every source of every device that the caller sees, with its fields and what they mean. */
  known(caller: Caller, signal?: AbortSignal): Promise<KnownSource[]> {
    return this.#known(this.#telemetry.for(caller), signal);
  }

  /** The same over all devices of a workgroup, for what runs without a caller. */
  knownToAll(workgroup: string, signal?: AbortSignal): Promise<KnownSource[]> {
    return this.#known(this.#telemetry.asSystem('calculations', workgroup), signal);
  }

  async #known(reader: TelemetryReader, signal?: AbortSignal): Promise<KnownSource[]> {
    const [units, choices] = await Promise.all([reader.units(), this.#store.inWorkgroup(reader.workgroup)]);
    // Of a table that the caller does not see there is no source below.
    const tables = [...units.keys()].filter((table) => !CLOUD_TABLES.has(table));
    if (tables.length === 0) return [];
    const all = await reader.latestIn(tables, signal);
    const roledOf = roledOnce();
    return all.map((latest) => {
      const { table, source, fields } = named(latest, units);
      const { kind, places } = roledOf({ table, source, fields }, choices.get(latest.device));
      const roles = new Map(Object.entries(places).map(([role, place]) => [place.field, { role, ...place }]));
      return {
        deviceId: latest.device,
        table,
        source,
        kind,
        fields: fields.map(({ name, units: written }) => {
          const { role = null, factor = 1, offset = 0 } = roles.get(name) ?? {};
          return { name, units: written, role: role as FieldRole | null, factor, offset };
        }),
      };
    });
  }

  async #sources(caller: Caller, device: string, signal?: AbortSignal) {
    const reader = this.#telemetry.for(caller);
    const [all, units] = await Promise.all([reader.latest(device, signal), reader.units()]);
    return { own: all.filter(({ table }) => table !== AUDIT_STREAM.table), units };
  }
}

/** `roledSource` of many sources: those of one name with the same fields, as plants have them, are looked at once. */
function roledOnce(): (source: NamedSource, choices: readonly FieldChoice[] | undefined) => RoledSource {
  const known = new Map<string, RoledSource>();
  return (source, choices) => {
    if (choices) return roledSource(source, choices);
    const key = JSON.stringify(source);
    const roled = known.get(key) ?? roledSource(source, []);
    known.set(key, roled);
    return roled;
  };
}

type Place = Pick<FieldChoice, 'table' | 'source' | 'field'>;

const isAt = (one: Place, place: Place): boolean => one.field === place.field && isOfSource(one, place);
const isOfSource = (one: Place, place: Place): boolean =>
  one.table === place.table && one.source === place.source;
/** A role stands at one field of a source; who gives it to another one takes it from the first. */
const takesFrom = (one: FieldChoice, place: Place, role: FieldChoice['role']): boolean =>
  role !== null && one.role === role && isOfSource(one, place);

const textOf = (choice: Pick<FieldChoice, 'role' | 'isReversed' | 'units'> | null | undefined) =>
  choice
    ? [choice.role ?? 'none', choice.isReversed ? 'reversed' : '', choice.units ?? '']
        .filter(Boolean)
        .join(' ')
    : null;

function named({ table, source, values }: LatestSource, units: FieldUnits) {
  const ofTable = units.get(table);
  const fields = Object.keys(values).map((name) => ({ name, units: ofTable?.get(name) ?? null }));
  return { table, source, fields };
}

function roled(latest: LatestOfDevice, units: FieldUnits, choices: readonly FieldChoice[]): RoledLatest {
  const { kind, places } = roledSource(named(latest, units), choices);
  return { ...latest, kind, places };
}

/** Whether some source of the table can be of a plant: what sources are called is not known here. */
function isOfPlants(table: string, fields: ReadonlyMap<string, string | null>): boolean {
  const all = [...fields].map(([name, units]) => ({ name, units }));
  return ['inverter', 'meter', 'battery', 'station'].some((source) => {
    const { kind, roles } = guessRoles({ table, source, fields: all });
    return kind !== 'computer' && [...roles.values()].some(({ role }) => OF_PLANTS.has(role));
  });
}

const OF_PLANTS: ReadonlySet<FieldRole> = new Set([
  'acPower',
  'dcPower',
  'energyTotal',
  'energyToday',
  'gridPower',
  'gridEnergyImported',
  'gridEnergyExported',
  'batteryPower',
  'stateOfCharge',
  'irradiancePoa',
  'irradianceGhi',
]);
