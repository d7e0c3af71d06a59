import { energyIssues } from '@albedo/contract/energy/energy.errors';
import { ENERGY_LIMITS } from '@albedo/contract/energy/energy.names';
import type {
  budgetData,
  budgetQuestion,
  budgets,
  EnergyImport,
  EnergyImportPreview,
  energyImportPlan,
  meterData,
  meterDataQuestion,
  meterReadings,
} from '@albedo/contract/energy/energy.schema';
import type { EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import { filled } from '@albedo/contract/http/issues';
import { readSite } from '@albedo/contract/plants/plant-site';
import type { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import type { Caller } from '../access/caller.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { TellList } from '../sockets/lists.ts';
import { BEYOND } from './counted.ts';
import type { ConfigsOfEnergy } from './energy-configs.service.ts';
import { type PlannedDevice, zoneOf } from './energy-plan.ts';
import { demandSpan } from './energy-reports.service.ts';
import type { MeterDataStore, NewBudget, NewReading } from './meter-data.store.ts';
import { type ReadImport, readImport } from './meter-import.ts';
import {
  budgetOf,
  GRANULARITY_MS,
  granularityOf,
  isFault,
  type MeterFault,
  type MeterWorld,
  meterWorld,
  partsOf,
  readingOf,
} from './meter-keys.ts';
import { isOwnSite, visibleCodes } from './meter-scope.ts';

export interface MeterDataOptions {
  store: MeterDataStore;
  configs: ConfigsOfEnergy;
  registry: DeviceRegistry;
  /** Devices that have energy, with their ratings. */
  planOf: (workgroup: string) => Promise<ReadonlyMap<string, PlannedDevice>>;
  audit: Audit;
  tell: TellList;
}

/** Readings that one answer lists. */
const LISTED = 10_000;
const GRANULARITY = '__granularity';

/** Readings of meters and budgets, sent or in files. */
export class MeterData {
  readonly #options: MeterDataOptions;

  constructor(options: MeterDataOptions) {
    this.#options = options;
  }

  /** Throws `request.invalid` with the key at fault; nothing is stored then. */
  async put(workgroup: string, body: z.output<typeof meterData>, by: Actor): Promise<{ stored: number }> {
    const { [GRANULARITY]: said, ...keys } = body;
    const { config, world } = await this.#world(workgroup);
    const granularity = granularityOf(said, config.granularity);
    if (typeof granularity === 'object') throw refused(granularity, GRANULARITY);
    const readings = this.#each(keys, (key, energy) => {
      const parts = partsOf(key);
      if (!parts) return { fault: 'issue.energy_key', data: {} } satisfies MeterFault;
      const [code, time] = parts;
      return readingOf({ code, time, granularity, energy }, world);
    });
    demandOnce(readings, ({ code, at }) => `${code}|${new Date(at).toISOString()}`);
    await this.#options.store.putReadings(workgroup, readings);
    this.#told(workgroup, 'meter-data', `${readings.length} readings by ${granularity}`, by);
    return { stored: readings.length };
  }

  /** Throws as `put` does. */
  async putBudgets(
    workgroup: string,
    body: z.output<typeof budgetData>,
    by: Actor,
  ): Promise<{ stored: number }> {
    const { world } = await this.#world(workgroup);
    const all = this.#each(body, (key, value) => {
      const parts = partsOf(key);
      if (!parts) return { fault: 'issue.energy_budget_key', data: {} } satisfies MeterFault;
      const [subject, month] = parts;
      const { energyKWh: energy, ...more } = typeof value === 'number' ? { energyKWh: value } : value;
      return budgetOf({ subject, month, energy, ...more }, world);
    });
    demandOnce(all, ({ subject, month }) => `${subject}|${month.slice(0, 7)}`);
    await this.#options.store.putBudgets(workgroup, all);
    this.#told(workgroup, 'budget-data', `${all.length} budgets`, by);
    return { stored: all.length };
  }

  /** Every reading of some codes, for what runs without a caller. */
  all(
    workgroup: string,
    codes: readonly string[],
  ): Promise<{ code: string; day: string; energyKWh: number }[]> {
    return this.#options.store.all(workgroup, codes);
  }

  /** Readings of the codes whose sites are wholly the caller's. */
  async readings(
    caller: Caller,
    asked: z.output<typeof meterDataQuestion>,
  ): Promise<z.output<typeof meterReadings>> {
    demandSpan(asked);
    const { workgroup } = caller;
    const { config } = await this.#world(workgroup);
    const visible = visibleCodes(caller, config).filter(
      (code) => asked.code === undefined || code === asked.code,
    );
    const [code = '', at = ''] = asked.after === undefined ? [] : (partsOf(asked.after) ?? []);
    if (asked.after !== undefined && !Number.isSafeInteger(Number(at || Number.NaN)))
      throw invalid('issue.energy_key', {}, 'after');
    const after = asked.after === undefined ? null : { code, at: Number(at) };
    const of = { from: asked.from, to: asked.to, codes: visible, after, limit: LISTED + 1 };
    const rows = await this.#options.store.readings(workgroup, of);
    const limits = await this.#limits(workgroup, config);
    const readings = rows.slice(0, LISTED).map((row) => {
      const hours = row.granularity === 'month' ? 31 * 24 : GRANULARITY_MS[row.granularity] / 3_600_000;
      const most = limits.get(row.code);
      const isBeyond = most !== undefined && row.energyKWh > most * hours * BEYOND;
      return { ...row, marks: isBeyond ? (['beyondRating'] as const).slice() : [] };
    });
    const last = readings.at(-1);
    return { readings, next: rows.length > LISTED && last ? `${last.code}|${last.at}` : null };
  }

  async budgets(caller: Caller, asked: z.output<typeof budgetQuestion>): Promise<z.output<typeof budgets>> {
    const { workgroup } = caller;
    const { registry, store } = this.#options;
    const { config } = await this.#world(workgroup);
    const isWhole = (id: string) => caller.devices.has(id) && caller.devices.sources(id) === null;
    const sites = config.sites.filter((site) => isOwnSite(caller.devices, site));
    const devices = registry
      .visible(workgroup, caller.devices)
      .filter(({ id }) => caller.devices.isAll || isWhole(id));
    const [subject = '', month = ''] = asked.after === undefined ? [] : (partsOf(asked.after) ?? []);
    const rows = await store.budgets(workgroup, {
      from: `${asked.from}-01`,
      to: `${asked.to}-01`,
      subjects: [...sites, ...devices].map(({ id }) => id),
      after:
        asked.after === undefined || !/^\d{4}-\d{2}$/.test(month) ? null : { subject, month: `${month}-01` },
      limit: LISTED + 1,
    });
    const shown = rows.slice(0, LISTED).map((row) => ({ ...row, month: row.month.slice(0, 7) }));
    const last = shown.at(-1);
    return { budgets: shown, next: rows.length > LISTED && last ? `${last.subject}|${last.month}` : null };
  }

  imports(workgroup: string): Promise<EnergyImport[]> {
    return this.#options.store.imports(workgroup);
  }

  /** Throws `energy.import_unreadable`. */
  async preview(
    workgroup: string,
    file: { name: string; bytes: Buffer },
    plan: z.output<typeof energyImportPlan>,
  ): Promise<EnergyImportPreview> {
    const read = await this.#read(workgroup, file, plan);
    const keys = keysOf(read);
    const at = keys.map((one) => one.at).toSorted((a, b) => a - b);
    const text = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
    return {
      ...{ layout: read.layout, plan: read.plan, asks: read.asks, readings: keys.length },
      replaces: await this.#options.store.countReplaced(workgroup, read.plan, keys),
      ...{ first: text(at[0]), last: text(at.at(-1)) },
      sample: keys
        .slice(0, 10)
        .map(({ key, at: ms, energyKWh }) => ({ key: `${key}|${text(ms)}`, energyKWh })),
      ...{ faults: read.faults, faultCount: read.faultCount },
    };
  }

  /** Throws `energy.import_unreadable`, `energy.import_unclear`, `energy.import_faulty`. */
  async import(
    workgroup: string,
    file: { name: string; bytes: Buffer },
    plan: z.output<typeof energyImportPlan>,
    by: Actor,
  ): Promise<EnergyImport> {
    const read = await this.#read(workgroup, file, plan);
    if (read.asks.length > 0) throw new AppError('energy.import_unclear', { asks: read.asks.join(', ') });
    const [first] = read.faults;
    if (first) {
      const why = filled(energyIssues[first.fault as MeterFault['fault']] ?? first.fault, first.data);
      const count = String(read.faultCount);
      throw new AppError('energy.import_faulty', { count, line: String(first.line), why });
    }
    const of = { workgroup, name: file.name, plan: read.plan, by: by.email };
    const stored = await this.#options.store.import(
      of,
      plan.kind === 'meter' ? { readings: read.readings } : { budgets: read.budgets },
    );
    this.#told(workgroup, stored.id, `${file.name}: ${stored.readings}`, by, 'import');
    return stored;
  }

  /** Throws `energy.import_not_found`, `energy.import_undone`, `energy.import_overwritten`. */
  async undo(workgroup: string, id: string, by: Actor): Promise<EnergyImport> {
    const undone = await this.#options.store.undo(workgroup, id);
    if (!undone) throw new AppError('energy.import_not_found');
    if (undone.newer > 0) throw new AppError('energy.import_overwritten', { count: String(undone.newer) });
    if (!undone.done) throw new AppError('energy.import_undone');
    this.#told(workgroup, id, undone.done.name, by, 'undo');
    return undone.done;
  }

  async #read(
    workgroup: string,
    file: { name: string; bytes: Buffer },
    plan: z.output<typeof energyImportPlan>,
  ) {
    const { config, world } = await this.#world(workgroup);
    const configs = await this.#options.configs.all(workgroup);
    const { timezone } = configs['daily-energy-config'];
    return readImport(file, plan, {
      world,
      granularity: config.granularity,
      timezone: timezone === 'device' ? null : timezone,
    });
  }

  async #world(
    workgroup: string,
  ): Promise<{ config: EnergyConfigs['meter-data-config']; world: MeterWorld }> {
    const { configs, registry } = this.#options;
    const all = await configs.all(workgroup);
    const config = all['meter-data-config'];
    const { timezone } = all['daily-energy-config'];
    const plan =
      config.sites.length > 0 ? await this.#options.planOf(workgroup) : new Map<string, PlannedDevice>();
    const zones = (id: string) =>
      plan.get(id)?.zone ?? zoneOf(timezone, readSite(registry.known(id)?.info ?? {}), null);
    return { config, world: meterWorld(config, registry.inWorkgroup(workgroup), zones) };
  }

  /** Each key read; the first that is wrong is told by its key. */
  #each<V, T extends object>(
    keys: Readonly<Record<string, V>>,
    read: (key: string, value: V) => T | MeterFault,
  ): T[] {
    const all = Object.entries(keys);
    if (all.length > ENERGY_LIMITS.keys)
      throw invalid('issue.energy_keys', { max: String(ENERGY_LIMITS.keys) });
    return all.map(([key, value]) => {
      const one = read(key, value);
      if (isFault(one)) throw refused(one, key);
      return one;
    });
  }

  /** What the inverters of a code's sites can give, kW. */
  async #limits(
    workgroup: string,
    { sites }: EnergyConfigs['meter-data-config'],
  ): Promise<Map<string, number>> {
    const plan = await this.#options.planOf(workgroup);
    const limits = new Map<string, number>();
    for (const { codes, devices } of sites) {
      const kW = devices
        .flatMap((id) => plan.get(id)?.sources ?? [])
        .reduce((sum, { ratings }) => sum + (ratings.ratedKW ?? ratings.peakKWp ?? Number.NaN), 0);
      if (!(kW > 0)) continue;
      for (const code of codes) limits.set(code, (limits.get(code) ?? 0) + kW);
    }
    return limits;
  }

  #told(workgroup: string, entity: string, newValue: string, by: Actor, action = 'update'): void {
    const entry = { workgroup, at: Date.now(), controller: 'energy', entity, action };
    this.#options.audit.record({ ...entry, newValue, by: by.email, address: by.address });
    this.#options.tell('energy', workgroup);
  }
}

const refused = ({ fault, data }: MeterFault, key: string): AppError => invalid(fault, data, key);

function demandOnce<T>(all: readonly T[], keyOf: (one: T) => string): void {
  const seen = new Set<string>();
  for (const one of all) {
    const key = keyOf(one);
    if (seen.has(key)) throw invalid('issue.energy_twice', { key }, key);
    seen.add(key);
  }
}

function keysOf({
  readings,
  budgets: planned,
}: ReadImport): { key: string; at: number; energyKWh: number }[] {
  return [
    ...readings.map(({ code, at, energyKWh }: NewReading) => ({ key: code, at, energyKWh })),
    ...planned.map(({ subject, month, energyKWh }: NewBudget) => ({
      key: subject,
      at: Date.parse(month),
      energyKWh,
    })),
  ];
}
