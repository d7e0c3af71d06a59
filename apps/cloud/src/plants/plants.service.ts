import {
  isInverter,
  kindOfDevice,
  type PlantReading,
  readPlant,
} from '@albedo/contract/plants/plant-reading';
import { type PlantSite, readSite } from '@albedo/contract/plants/plant-site';
import type {
  PlantDetail,
  PlantFinding,
  PlantList,
  PlantSummary,
} from '@albedo/contract/plants/plants.schema';
import { isTimeZone } from '@albedo/contract/time/zoned-time';
import type { Caller } from '../access/caller.ts';
import type { FieldRoles, RoledLatest } from '../field-roles/field-roles.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { clearSkyW } from './clear-sky.ts';
import { type Day, dayOf, plantDay, readDays, type SourceDay, stepsOf } from './plant-day.ts';
import { findingsOfNow, PlantFindings } from './plant-findings.ts';
import type { PlantsStore } from './plants.store.ts';

const MINUTE_MS = 60_000;
/** Steps of today's curve: on a plant's own page, and in the list. */
const STEP_MS = { detail: 5 * MINUTE_MS, list: 15 * MINUTE_MS };
/** A list that was asked for a moment ago is given again, ms. */
const LIST_FRESH_MS = 5000;
const LISTS_KEPT = 500;

export interface PlantsOptions {
  store: PlantsStore;
  roles: FieldRoles;
  telemetry: Telemetry;
  registry: DeviceRegistry;
  now?: () => number;
}

/** A device with what is known of it as a plant. */
interface Plant {
  device: string;
  name: string;
  site: PlantSite;
  zone: string;
  day: Day;
  isPartial: boolean;
  sources: RoledLatest[];
}

/** Plants: what they give now and gave today, from the newest values and one question to the store. */
export class Plants {
  readonly #options: PlantsOptions;
  readonly #findings = new PlantFindings();
  readonly #lists = new Map<string, { at: number; list: Promise<PlantList> }>();

  constructor(options: PlantsOptions) {
    this.#options = options;
  }

  /** The plants that the caller sees, those with the most power first. */
  list(caller: Caller): Promise<PlantList> {
    const now = this.#now();
    const key = JSON.stringify([caller.workgroup, caller.devices.version()]);
    const known = this.#lists.get(key);
    if (known && now - known.at < LIST_FRESH_MS) return known.list;
    if (this.#lists.size >= LISTS_KEPT) this.#lists.clear();
    const list = this.#list(caller, now);
    this.#lists.set(key, { at: now, list });
    list.catch(() => this.#lists.delete(key));
    return list;
  }

  /** Resolves when the findings of all plants that were listed are known. */
  settled(): Promise<void> {
    return this.#findings.settled();
  }

  /** A device hands in events that are this old, epoch ms. */
  late(device: string, oldestAt: number): void {
    this.#findings.late(device, oldestAt, this.#now());
  }

  async get(caller: Caller, device: string, signal?: AbortSignal): Promise<PlantDetail> {
    const now = this.#now();
    const [sources, zones] = await Promise.all([
      this.#options.roles.latest(caller, device, signal),
      this.#options.store.zones(caller.workgroup, [device]),
    ]);
    const plant = this.#plant(caller, device, sources, zones, now);
    const { day, zone, isPartial, site } = plant;
    const { ratedPowerW, peakPowerW } = site;
    const kind = kindOfDevice(sources);
    const reader = this.#options.telemetry.for(caller);
    const of = { day, stepMs: STEP_MS.detail, now, ratingsW: sources.map(() => ratingOf(site)) };
    const isPlant = kind === 'plant';
    const days = isPlant ? await readDays(reader, sources, of, signal) : [];
    const count = stepsOf(day, STEP_MS.detail, now);
    const today = plantDay(sources, days, count);
    const past = isPlant && !isPartial ? await this.#findings.of({ ...plant, reader, now }, signal) : null;
    const reading = readPlant(sources, { now, ratedPowerW });
    const times = Array.from({ length: count }, (_, i) => day.from + i * STEP_MS.detail);
    const wholeDay = Array.from(
      { length: Math.ceil((day.to - day.from) / STEP_MS.detail) },
      (_, i) => day.from + (i + 0.5) * STEP_MS.detail,
    );
    const clear = isPlant ? clearSkyW(site, past?.wattsPerWm2 ?? null, wholeDay) : null;
    const hasPosition = site.latitudeDeg !== null && site.longitudeDeg !== null;
    return {
      kind,
      zone,
      day,
      isPartial,
      ratedPowerW,
      peakPowerW,
      sources: sources.map(({ table, source, kind: own, places }, i) => ({
        table,
        source,
        kind: own,
        places,
        energyTodayWh: days[i]?.energyTodayWh ?? null,
        energyFrom: days[i]?.energyFrom ?? null,
        doubtedWh: days[i]?.doubtedWh ?? 0,
      })),
      today: {
        energyWh: today.energyWh,
        doubtedWh: today.doubtedWh,
        importedWh: today.importedWh,
        exportedWh: today.exportedWh,
        irradiationWhM2: today.irradiationWhM2,
      },
      curve: isPlant
        ? {
            stepMs: STEP_MS.detail,
            times,
            powerW: today.powerW,
            poaWm2: today.poaWm2,
            gridW: today.gridW,
            clearSkyW: clear,
          }
        : null,
      clearSkyNeeds: isPlant && clear === null ? (hasPosition ? ['power'] : ['position']) : [],
      findings: isPlant ? this.#allFindings(reading, plant, days, past?.findings ?? [], STEP_MS.detail) : [],
    };
  }

  /** The zone of the site of a device, else the one that the device reported. */
  async zoneOf(workgroup: string, device: string): Promise<string> {
    const known = this.#options.registry.known(device);
    const zones = await this.#options.store.zones(workgroup, [device]);
    const site = readSite(known?.workgroup === workgroup ? known.info : {});
    return zoneOf(site, zones.get(device) ?? null);
  }

  async #list(caller: Caller, now: number): Promise<PlantList> {
    const all = await this.#options.roles.ofPlants(caller);
    const found = [...Map.groupBy(all, ({ device }) => device)]
      .filter(([, sources]) => kindOfDevice(sources) === 'plant')
      .filter(([device]) => this.#options.registry.known(device)?.workgroup === caller.workgroup);
    const zones = await this.#options.store.zones(
      caller.workgroup,
      found.map(([device]) => device),
    );
    const plants = found.map(([device, sources]) => this.#plant(caller, device, sources, zones, now));
    // Plants of one zone have the same day, so that they are asked for together.
    const byZone = await Promise.all(
      [...Map.groupBy(plants, ({ zone }) => zone).values()].map((those) =>
        this.#summaries(caller, those, now),
      ),
    );
    const summaries = byZone
      .flat()
      .sort((a, b) => (b.power.value ?? -1) - (a.power.value ?? -1) || a.name.localeCompare(b.name));
    return { at: now, plants: summaries };
  }

  async #summaries(caller: Caller, plants: readonly Plant[], now: number): Promise<PlantSummary[]> {
    const [one] = plants;
    if (!one) return [];
    const reader = this.#options.telemetry.for(caller);
    const sources = plants.flatMap((plant) => plant.sources);
    const ratingsW = plants.flatMap((plant) => plant.sources.map(() => ratingOf(plant.site)));
    const days = await readDays(reader, sources, { day: one.day, stepMs: STEP_MS.list, now, ratingsW });
    const count = stepsOf(one.day, STEP_MS.list, now);
    const dayOfSource = new Map(sources.map((source, i) => [source, days[i] as SourceDay]));
    return plants.map((plant) => {
      const own = plant.sources.map((source) => dayOfSource.get(source) as SourceDay);
      const today = plantDay(plant.sources, own, count);
      const reading = readPlant(plant.sources, { now, ratedPowerW: plant.site.ratedPowerW });
      const past = plant.isPartial ? null : this.#findings.soon({ ...plant, reader, now });
      return {
        device: plant.device,
        name: plant.name,
        zone: plant.zone,
        day: plant.day,
        isPartial: plant.isPartial,
        ratedPowerW: plant.site.ratedPowerW,
        power: reading.power,
        grid: reading.grid,
        poa: reading.poa,
        inverters: countsOf(reading),
        energyTodayWh: today.energyWh,
        doubtedWh: today.doubtedWh,
        powersW: today.powerW,
        findings: this.#allFindings(reading, plant, own, past?.findings ?? [], STEP_MS.list),
      };
    });
  }

  #plant(
    { workgroup, devices }: Caller,
    device: string,
    sources: RoledLatest[],
    zones: ReadonlyMap<string, string | null>,
    now: number,
  ): Plant {
    const known = this.#options.registry.known(device);
    const site = readSite(known?.workgroup === workgroup ? known.info : {});
    const zone = zoneOf(site, zones.get(device) ?? null);
    return {
      device,
      name: known?.name ?? '',
      site,
      zone,
      day: dayOf(now, zone),
      isPartial: devices.sources(device) !== null,
      sources,
    };
  }

  /** What is wrong now first, then what is less than it was. An inverter that stands is not said to give less as well. */
  #allFindings(
    reading: PlantReading,
    { sources, day }: Plant,
    days: readonly SourceDay[],
    past: readonly PlantFinding[],
    stepMs: number,
  ): PlantFinding[] {
    const lastPowerAt = (of: { table: string; source: string }) => {
      const i = sources.findIndex(
        (one) => one.table === of.table && one.source === of.source && isInverter(one),
      );
      const powers = days[i]?.powerW ?? [];
      const most = Math.max(0, ...powers.map((one) => one ?? 0));
      const last = powers.findLastIndex((one) => one !== null && one > most * 0.02);
      return last < 0 ? null : day.from + (last + 1) * stepMs;
    };
    const now = findingsOfNow(reading, lastPowerAt);
    const said = new Set(now.map(({ source }) => source));
    return [...now, ...past.filter(({ source }) => source === null || !said.has(source))];
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

const zoneOf = ({ timeZone }: PlantSite, own: string | null): string =>
  timeZone ?? (own !== null && isTimeZone(own) ? own : 'UTC');

/** What the whole plant can make at most; a single inverter makes no more. */
const ratingOf = ({ ratedPowerW, peakPowerW }: PlantSite): number | null =>
  ratedPowerW === null && peakPowerW === null ? null : Math.max(ratedPowerW ?? 0, peakPowerW ?? 0);

function countsOf({ inverters }: PlantReading): PlantSummary['inverters'] {
  const count = (...states: string[]) => inverters.filter(({ state }) => states.includes(state)).length;
  return {
    total: inverters.length,
    producing: count('producing'),
    troubled: count('standing', 'fault'),
    silent: count('silent'),
  };
}
