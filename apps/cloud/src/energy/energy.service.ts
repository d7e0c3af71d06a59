import { setTimeout as pause } from 'node:timers/promises';
import type { EnergyConfigName, EnergyReportName } from '@albedo/contract/energy/energy.names';
import type {
  dayReview,
  EnergyConfigPreview,
  EnergyDay,
  energyDaysQuestion,
  ReportReason,
  recompute,
} from '@albedo/contract/energy/energy.schema';
import type { EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import type { LongAction } from '@albedo/contract/long-actions/long-actions.schema';
import type { Transaction } from '@albedo/postgres/postgres';
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Manager } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Entities } from '../entities/entities.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import type { FieldRoles } from '../field-roles/field-roles.service.ts';
import type { LongActionKind, LongActions } from '../long-actions/long-actions.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { TellList } from '../sockets/lists.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { EnergyStore } from './energy.store.ts';
import { dayAfter, dayAt } from './energy-calendar.ts';
import type { ConfigsOfEnergy } from './energy-configs.service.ts';
import type { AskCurtailed, CurtailedTimes } from './energy-curtailed.ts';
import type { EnergyDayRow, EnergyDaysStore, ReviewRow } from './energy-days.store.ts';
import { irradiationCsv, monthOf, mpptCsv } from './energy-extracts.ts';
import { readNewest } from './energy-newest.ts';
import { type PlannedDevice, planOf, type SensorRole } from './energy-plan.ts';
import { demandSpan, type EnergyReports } from './energy-reports.service.ts';
import type { EnergyAround } from './energy-rows.ts';
import type { EnergyRuns } from './energy-runs.ts';
import type { MeterData } from './meter-data.service.ts';

export interface EnergyOptions {
  store: EnergyStore;
  days: EnergyDaysStore;
  configs: ConfigsOfEnergy;
  reports: EnergyReports;
  runs: EnergyRuns;
  meterData: MeterData;
  roles: FieldRoles;
  telemetry: Telemetry;
  entities: Entities;
  registry: DeviceRegistry;
  longActions: LongActions;
  audit: Audit;
  tell: TellList;
}

/** Called when the files of a month are mailed, inside the transaction that queues the mails. */
export type ExtractsListener = (
  workgroup: string,
  extracts: { month: string; names: string[] },
  inside: Transaction,
) => Promise<void>;

/** How often a recomputation waits for days that failed. */
const ATTEMPTS = 2;
const LIGHT: readonly SensorRole[] = ['irradiancePoa', 'irradianceGhi', 'irradianceFeed'];
/** Days that one answer lists. */
const DAYS_LISTED = 50_000;

const recomputing = z.object({
  workgroup: z.string(),
  from: z.string(),
  to: z.string(),
  devices: z.array(z.string()).nullable(),
});
type Recomputing = z.output<typeof recomputing>;

/** The energy of days: how it was told, what people decide of it, and computing it again. */
export class Energy {
  readonly #options: EnergyOptions;
  readonly #listeners: ((workgroup: string) => Promise<void>)[] = [];
  readonly #extractListeners: ExtractsListener[] = [];
  #curtailed: AskCurtailed = async () => new Map();
  readonly recomputing: LongActionKind<Recomputing> = {
    kind: 'energy-recompute',
    input: recomputing,
    canCancel: true,
    run: async ({ input, signal, progress }) => {
      const { days, runs } = this.#options;
      const count = await days.again(input.workgroup, input);
      await runs.look(input.workgroup, signal);
      for (;;) {
        await runs.computeDue(input.workgroup, signal, (left) =>
          progress(count > 0 ? Math.max(0, 1 - left / count) : 1),
        );
        // Days that failed are tried again some times before this ends.
        const postponed = await days.postponed(input.workgroup);
        if (!postponed || postponed.attempts > ATTEMPTS) break;
        await pause(Math.max(1000, postponed.dueAt - Date.now()), undefined, { signal });
      }
      return { result: { days: count } };
    },
  };

  constructor(options: EnergyOptions) {
    this.#options = options;
  }

  /** Has others do what follows once days of a workgroup were computed. */
  onComputed(listener: (workgroup: string) => Promise<void>): void {
    this.#listeners.push(listener);
  }

  onExtracts(listener: ExtractsListener): void {
    this.#extractListeners.push(listener);
  }

  async extracted(...of: Parameters<ExtractsListener>): Promise<void> {
    for (const listener of this.#extractListeners) await listener(...of);
  }

  /** Has ratios leave out the times in which devices are limited. */
  followCurtailment(of: AskCurtailed): void {
    this.#curtailed = of;
  }

  curtailed(...of: Parameters<AskCurtailed>): Promise<CurtailedTimes> {
    return this.#curtailed(...of);
  }

  async computed(workgroup: string): Promise<void> {
    for (const listener of this.#listeners) await listener(workgroup);
  }

  /** Energy of whole days of devices that are over. */
  wholeDays(workgroup: string): Promise<{ device: string; day: string; energyKWh: number }[]> {
    return this.#options.days.wholeDays(workgroup);
  }

  get meterData(): MeterData {
    return this.#options.meterData;
  }

  get reports(): EnergyReports {
    return this.#options.reports;
  }

  get configs(): ConfigsOfEnergy {
    return this.#options.configs;
  }

  /** What days of a workgroup are computed by; with other configurations than those that are kept, for a preview. */
  async around(workgroup: string, signal?: AbortSignal, others?: EnergyConfigs): Promise<EnergyAround> {
    const { store, roles, entities, registry, telemetry } = this.#options;
    const [configs, known, zones, all] = await Promise.all([
      others ?? this.#options.configs.all(workgroup),
      roles.knownToAll(workgroup, signal),
      store.zones(workgroup),
      entities.allFacts(workgroup),
    ]);
    const reader = telemetry.asSystem('energy', workgroup);
    const plan = planOf({
      newest: await readNewest(reader, configs, known, signal),
      configs,
      timezone: configs['daily-energy-config'].timezone,
      known,
      zones,
      devices: new Map(registry.inWorkgroup(workgroup).map((device) => [device.id, device])),
      entities: [...all.values()].map(({ _id: id, meta, signals }) => ({
        id,
        meta,
        sources: signals.sources,
      })),
    });
    return { configs, plan };
  }

  /** Throws `request.not_found` for a scope that does not exist for the caller. */
  async listDays(
    caller: Caller,
    { scope: text, ...span }: z.output<typeof energyDaysQuestion>,
  ): Promise<EnergyDay[]> {
    demandSpan(span);
    const { configs, days, reports } = this.#options;
    const scope = await reports.scope(caller, text, await configs.all(caller.workgroup));
    const rows = await days.days(caller.workgroup, span, scope.days, DAYS_LISTED);
    return rows.flatMap(({ day, review }) => told(day, review) ?? []);
  }

  /** Throws `energy.day_unknown`, and `request.invalid` where a value is lacking. */
  async review(workgroup: string, wanted: z.output<typeof dayReview>, by: Manager): Promise<EnergyDay> {
    const { days, audit, tell } = this.#options;
    const { decision, energyKWh = null, reason, ...place } = wanted;
    const of = { device: place.deviceId, table: place.table, source: place.source, day: place.day };
    if (decision === 'override' && energyKWh === null) throw invalid('issue.energy_review', {}, 'energyKWh');
    const found = await this.#day(workgroup, of);
    const value = decision === 'override' ? energyKWh : null;
    const set =
      decision === null ? null : { decision, energyKWh: value, reason, by: by.email, at: new Date() };
    const old = await days.review(workgroup, of, set);
    audit.record({
      ...{ workgroup, at: Date.now(), controller: 'energy', device: of.device, action: 'review' },
      ...{ entity: `${of.table}/${of.source}`, attribute: of.day },
      oldValue: old
        ? JSON.stringify({ decision: old.decision, energyKWh: old.energyKWh, reason: old.reason })
        : null,
      newValue: set ? JSON.stringify({ decision, energyKWh: value, reason }) : null,
      ...{ by: by.email, address: by.address },
    });
    tell('energy', workgroup);
    const review = set ? ({ workgroup, ...of, ...set } as ReviewRow) : null;
    const shown = told(found, review);
    if (!shown) throw new AppError('energy.day_unknown');
    return shown;
  }

  async #day(workgroup: string, of: { device: string; table: string; source: string; day: string }) {
    const whose = { devices: [of.device], sources: [], only: { table: of.table, source: of.source } };
    const [row] = await this.#options.days.days(workgroup, { from: of.day, to: of.day }, whose, 1);
    if (!row?.day.method) throw new AppError('energy.day_unknown');
    return row.day;
  }

  /** Computes days again in the background. Throws `request.not_found` for a scope that is not there. */
  async recompute(
    caller: Caller,
    { scope: text, ...span }: z.output<typeof recompute>,
    by: Manager,
  ): Promise<LongAction> {
    demandSpan(span);
    const { workgroup } = caller;
    const { configs, reports, longActions, audit } = this.#options;
    const scope = await reports.scope(caller, text, await configs.all(workgroup));
    const devices = scope.kind === 'portfolio' ? null : scope.devices.map(({ id }) => id);
    const about = `${span.from} - ${span.to}`;
    audit.record({
      ...{ workgroup, at: Date.now(), controller: 'energy', entity: text, action: 'recompute' },
      ...{ newValue: about, by: by.email, address: by.address },
    });
    return longActions.begin(this.recomputing, {
      input: { workgroup, ...span, devices },
      about,
      workgroup,
      by,
    });
  }

  /** What yesterday would be with a configuration that is not saved, and what devices lack. */
  async preview(
    workgroup: string,
    name: EnergyConfigName,
    value: unknown,
    signal?: AbortSignal,
  ): Promise<EnergyConfigPreview> {
    const { configs, runs } = this.#options;
    const kept = await configs.all(workgroup);
    const others = { ...kept, [name]: configs.read(workgroup, name, value) } as EnergyConfigs;
    const around = await this.around(workgroup, signal, others);
    const yesterday = ({ zone }: PlannedDevice) => dayAfter(dayAt(Date.now(), zone), -1);
    const rows = await runs.preview(workgroup, around, yesterday, signal);
    const names = new Map([...around.plan].map(([id, { device }]) => [id, device.name]));
    return {
      day:
        [...around.plan.values()].map(yesterday).toSorted().at(-1) ?? dayAfter(dayAt(Date.now(), 'UTC'), -1),
      rows: rows.map((row) => {
        const value = previewed(name, row, others);
        return {
          ...{
            deviceId: row.device,
            device: names.get(row.device) ?? '',
            table: row.table,
            source: row.source,
          },
          ...{ method: row.method, value, expected: row.expectedKWh, coverage: row.coverage },
          reason: value === null ? whyNot(name, row) : (row.marks[0] ?? null),
        };
      }),
      lacking: [...around.plan.values()].flatMap(({ device, site, sources, sensors }) => {
        const roles = [
          ...(sources.some(({ ratings }) => ratings.peakKWp === null) ? ['peakPower'] : []),
          ...(sources.some(({ ratings }) => ratings.ratedKW === null) ? ['ratedPower'] : []),
          ...(site.latitudeDeg === null ? ['latitude'] : []),
          ...(site.longitudeDeg === null ? ['longitude'] : []),
          ...(sources.some(({ planes }) => planes.length === 0) ? ['azimuth', 'slope'] : []),
          ...(sensors.some(({ role }) => LIGHT.includes(role)) ? [] : ['irradiancePoa']),
        ];
        return roles.length > 0 ? [{ deviceId: device.id, device: device.name, roles }] : [];
      }),
    };
  }

  /** What is mailed of a month: to whom, and with which files. */
  async extracts(workgroup: string, month: string): Promise<{ to: string[]; name: string; text: string }[]> {
    const { configs, roles, days, telemetry } = this.#options;
    const { mppt, irradiation, trackers } = (await configs.all(workgroup))['mppt-extract-config'];
    const { plan } = await this.around(workgroup);
    const of = { workgroup, plan, month: monthOf(month) };
    const files: { to: string[]; name: string; text: string }[] = [];
    if (irradiation.isOn && irradiation.recipients.length > 0)
      files.push({
        ...{ to: irradiation.recipients, name: `irradiation-${month}.csv` },
        text: await irradiationCsv(of, { days, telemetry }),
      });
    if (mppt.isOn && mppt.recipients.length > 0)
      files.push({
        ...{ to: mppt.recipients, name: `mppt-${month}.csv` },
        text: await mpptCsv(of, await roles.knownToAll(workgroup), trackers, telemetry),
      });
    return files;
  }

  selections(workgroup: string, userId: string) {
    return this.#options.store.selections(workgroup, userId);
  }

  async select(workgroup: string, userId: string, report: EnergyReportName, search: string) {
    await this.#options.store.select(workgroup, userId, report, search);
    return this.selections(workgroup, userId);
  }
}

/** A day as it is told; null for one without energy. */
function told(row: EnergyDayRow, review: ReviewRow | null): EnergyDay | null {
  const { device: deviceId, day, table, source, method, energyKWh, samples, coverage, firstAt, lastAt } = row;
  if (method === null || energyKWh === null) return null;
  const decided: ReportReason[] =
    review?.decision === 'exclude' ? ['excluded'] : review?.decision === 'override' ? ['overridden'] : [];
  return {
    ...{ day, deviceId, table, source, method, energyKWh, samples, coverage },
    firstTime: firstAt ?? 0,
    lastTime: lastAt ?? 0,
    expectedKWh: row.expectedKWh,
    marks: [...row.marks, ...decided],
    review: review && {
      ...{ decision: review.decision, energyKWh: review.energyKWh, reason: review.reason, by: review.by },
      at: review.at.getTime(),
    },
  };
}

const through = (upper: number | null, lower: number | null): number | null =>
  upper !== null && lower !== null && lower > 0 ? upper / lower : null;

/** What a preview shows of a source: energy, ratio, factor or part of the time. */
function previewed(name: EnergyConfigName, row: EnergyDayRow, configs: EnergyConfigs): number | null {
  if (name === 'performance-ratio-config') return through(row.energyKWh, row.expectedKWh);
  if (name === 'capacity-factor-config')
    return through(row.energyKWh, configs[name].basis === 'ac' ? row.ratedKWh : row.peakKWh);
  if (name === 'iec-perf-ratio-config') return through(row.usedKWh, row.usedReferenceKWh);
  if (name === 'availability-config')
    return through(row.availableHours, (row.availableHours ?? 0) + (row.unavailableHours ?? 0));
  return row.energyKWh;
}

function whyNot(name: EnergyConfigName, row: EnergyDayRow): ReportReason {
  if (row.energyKWh === null) return 'noEnergy';
  if (row.peakKWp === null && name !== 'availability-config') return 'noRating';
  return row.irradiationKWhM2 === null ? 'noIrradiance' : 'tooLittleLight';
}
