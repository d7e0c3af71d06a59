import {
  BELOW_ESTIMATE,
  ENERGY_LIMITS,
  type EnergyReportName,
  REPORT_COLUMNS,
} from '@albedo/contract/energy/energy.names';
import {
  type EnergyReport,
  FIGURE_KINDS,
  type FigureKind,
  type ReportColumn,
  type ReportQuestion,
  type ReportReason,
  type ReportRow,
} from '@albedo/contract/energy/energy.schema';
import type { EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import { degradationPerYear } from '@albedo/energy/degradation';
import { median } from '@albedo/energy/statistics';
import type { Caller } from '../access/caller.ts';
import type { Entities } from '../entities/entities.service.ts';
import { invalid } from '../errors/request-issues.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { PowerBins } from './energy.tables.ts';
import { findingsOf } from './energy-anomalies.ts';
import type { Answer, Asking } from './energy-asking.ts';
import type { ConfigsOfEnergy } from './energy-configs.service.ts';
import { LOAD_CLASSES } from './energy-day.ts';
import type { EnergyDaysStore } from './energy-days.store.ts';
import { type Figures, figuresOf, type RowFacts, ratioFigures } from './energy-figures.ts';
import { missingOf, notesOf } from './energy-notes.ts';
import { comparedWith, daysOf, periodsOf, spreadMonth } from './energy-periods.ts';
import type { DaySums, EnergyReportsStore, Span, SumsRow } from './energy-reports.store.ts';
import { type MeterSite, type ReportScope, resolveScope, sourceScope } from './energy-scope.ts';
import { addSums } from './energy-sums.ts';
import { visibleCodes } from './meter-scope.ts';

export interface EnergyReportsOptions {
  store: EnergyReportsStore;
  days: EnergyDaysStore;
  configs: ConfigsOfEnergy;
  registry: DeviceRegistry;
  entities: Entities;
}

/** Sources that a report of inverters lists. */
const SOURCES_LISTED = 5000;

/** Reports over days that are kept: sums first, divided last. */
export class EnergyReports {
  readonly #options: EnergyReportsOptions;

  constructor(options: EnergyReportsOptions) {
    this.#options = options;
  }

  /** Throws `request.not_found` for a scope that does not exist for the caller, `request.invalid` for a span. */
  async report(caller: Caller, report: EnergyReportName, asked: ReportQuestion): Promise<EnergyReport> {
    const { configs: all, store } = this.#options;
    const span = { from: asked.from, to: asked.to };
    demandSpan(span);
    const configs = await all.all(caller.workgroup);
    const scope = await this.scope(caller, asked.scope, configs);
    const asking: Asking = { caller, report, scope, span, configs, granularity: asked.granularity };
    const earlier = asked.compare === 'none' ? null : comparedWith(span, asked.compare);
    const [answer, before] = await Promise.all([
      report === 'daily-energy-anomalies' ? findingsOf(this.#options.days, asking) : this.#answer(asking),
      earlier && report !== 'daily-energy-anomalies' ? this.#answer({ ...asking, span: earlier }) : null,
    ]);
    const kept = await store.span(caller.workgroup);
    return {
      ...{ report, ...span, granularity: asked.granularity },
      timezone: configs['daily-energy-config'].timezone,
      listed: answer.listed,
      path: scope.path,
      columns: columnsOf(report, configs),
      rows: answer.rows,
      total: answer.total,
      before: earlier && before ? { ...earlier, ...before.total } : null,
      periods: answer.periods,
      series: answer.series,
      notes: notesOf(asking, answer),
      missing: missingOf(asking, answer, kept !== null),
      computedAt: answer.computedAt,
    };
  }

  /** Energy and expected energy of a day, by device; devices without data are left out. */
  async onDay(caller: Caller, day: string): Promise<ReadonlyMap<string, DayOfDevice>> {
    const { configs: all, store } = this.#options;
    const span = { from: day, to: day };
    const configs = await all.all(caller.workgroup);
    const scope = await this.scope(caller, 'portfolio', configs);
    const rows = await store.sums(caller.workgroup, scope.days, span, { by: 'source', periods: null });
    const ofDevices = Map.groupBy(
      rows.filter(({ device }) => device !== null),
      ({ device }) => device ?? '',
    );
    return new Map(
      [...ofDevices].map(([device, rows]) => [device, dayOfDevice(addSums(rows), rows, configs)]),
    );
  }

  async scope(caller: Caller, text: string, configs: EnergyConfigs): Promise<ReportScope> {
    const { registry, entities } = this.#options;
    return resolveScope(text, {
      caller,
      visible: registry.visible(caller.workgroup, caller.devices),
      sites: configs['meter-data-config'].sites,
      exists: (id) => registry.known(id)?.workgroup === caller.workgroup,
      entities: () => entities.allFacts(caller.workgroup),
    });
  }

  async #answer(asking: Asking): Promise<Answer> {
    const { caller, report, scope, span, configs, granularity } = asking;
    const { store } = this.#options;
    const by = BY[scope.kind];
    const isMetered = METERED.has(report);
    const needsBelow = 'below' in REPORT_COLUMNS[report];
    const needsBins = report === 'inverter-performance';
    const listsSources = needsBins && scope.kind !== 'source';
    const [rows, meters, budgets, below, bins, reconciled] = await Promise.all([
      store.sums(caller.workgroup, scope.days, span, {
        by: listsSources ? 'source' : by,
        periods: granularity,
      }),
      isMetered ? this.#meters(asking) : null,
      isMetered ? this.#budgets(asking) : null,
      needsBelow ? store.below(caller.workgroup, scope.days, span, BELOW_ESTIMATE) : [],
      needsBins ? store.bins(caller.workgroup, scope.days, span) : [],
      report === 'performance-ratio' && scope.kind === 'portfolio'
        ? store.reconciled(caller.workgroup, span, sitesFor(asking))
        : report === 'performance-ratio' && scope.site
          ? store.reconciled(
              caller.workgroup,
              span,
              sitesFor({ ...asking, scope: { ...scope, sites: [scope.site] } }),
            )
          : [],
    ]);
    const periods = periodsOf(span, granularity);
    const total = rows.find((row) => isTotal(row)) ?? null;
    const keyed = rows.filter((row) => row.device !== null || row.day !== null);
    const ofPeriod = new Map(
      rows.flatMap((row) => (row.period === null ? [] : [[row.period, row] as const])),
    );
    const belowOf = new Map(below.map((one) => [one.device, one]));
    const sum = (all: readonly { below: number; sources: number }[]) =>
      all.length === 0
        ? null
        : all.reduce((a, b) => ({ below: a.below + b.below, sources: a.sources + b.sources }), {
            below: 0,
            sources: 0,
          });
    const binsOf = collectBins(bins);
    const degradation =
      report === 'iec-performance-ratio' && granularity === 'day'
        ? degradationPerYear(
            [...ofPeriod].map(([day, row]) => ({
              at: Date.parse(day),
              value: ratioFigures(row, configs).temperatureCorrectedRatio.value,
            })),
          ).perYear
        : null;
    const totalFacts: RowFacts = {
      meterKWh: meters?.total ?? null,
      budgetKWh: budgets?.total ?? null,
      reconciled: reconciled.find(({ site }) => site === null) ?? null,
      below: sum(below),
      bins: binsOf.total,
      degradation,
    };
    const facts = (key: string, devices: readonly string[], site: MeterSite | null): RowFacts => ({
      meterKWh: meters?.of.get(key) ?? null,
      budgetKWh: budgets?.of.get(key) ?? null,
      reconciled: site ? (reconciled.find((one) => one.site === site.id) ?? null) : null,
      below: sum(devices.flatMap((id) => belowOf.get(id) ?? [])),
    });
    const context = { asking, keyed, facts, binsOf };
    const listed = listsSources
      ? inverterRows(context)
      : scope.kind === 'source'
        ? dayRows(context)
        : scope.kind === 'device'
          ? sourceRows(context)
          : deviceRows(context);
    return {
      ...listed,
      total: {
        ...figuresOf(report, total, totalFacts, configs),
        curtailedHours: mostCurtailed(listed.rows, total),
      },
      sums: total,
      periods,
      series: seriesOf(asking, periods, ofPeriod, meters, budgets),
      computedAt: total?.computedAt ?? null,
    };
  }

  /** Energy of meters that count production, by site, in all and by period. */
  async #meters({ caller, scope, span, configs, granularity }: Asking): Promise<Metered> {
    const counted = productionCodes(caller, configs);
    const sites = metersOf(scope);
    const codes = [...new Set(sites.flatMap(({ codes: own }) => own))].filter((code) => counted.has(code));
    const rows = await this.#options.store.metered(caller.workgroup, codes, span, granularity);
    const byCode = new Map<string, number>();
    const byPeriod = new Map<string, number>();
    for (const { code, period, energyKWh } of rows) {
      byCode.set(code, (byCode.get(code) ?? 0) + energyKWh);
      byPeriod.set(period, (byPeriod.get(period) ?? 0) + energyKWh);
    }
    const of = new Map(
      sites.flatMap(({ id, codes: own }) => {
        const known = own.flatMap((code) => byCode.get(code) ?? []);
        return known.length === 0 ? [] : [[id, known.reduce((sum, one) => sum + one, 0)] as const];
      }),
    );
    return {
      of,
      byPeriod,
      total: byCode.size === 0 ? null : [...byCode.values()].reduce((a, b) => a + b, 0),
    };
  }

  /** Budgets of sites and devices; a site that has none of its own has those of its devices. */
  async #budgets({ caller, scope, span, granularity }: Asking): Promise<Metered> {
    if (scope.kind === 'source') return NOTHING_METERED;
    const whole = scope.days.devices;
    const sites = scope.kind === 'portfolio' ? scope.sites : scope.site ? [scope.site] : [];
    const subjects = [...sites.map(({ id }) => id), ...whole];
    const rows = await this.#options.store.budgets(caller.workgroup, subjects, span);
    const bySubject = Map.groupBy(rows, ({ subject }) => subject);
    const of = new Map<string, number>();
    const byPeriod = new Map<string, number>();
    const spread = (subject: string) => {
      const parts = new Map<string, number>();
      for (const { month, energyKWh } of bySubject.get(subject) ?? [])
        for (const [at, kWh] of spreadMonth(month, energyKWh, span, granularity))
          parts.set(at, (parts.get(at) ?? 0) + kWh);
      return parts;
    };
    const add = (into: Map<string, number>, key: string, value: number) =>
      into.set(key, (into.get(key) ?? 0) + value);
    for (const id of whole) for (const kWh of spread(id).values()) add(of, id, kWh);
    const counted = new Set<string>();
    for (const { id, devices } of sites) {
      const has = bySubject.has(id);
      for (const subject of has ? [id] : devices)
        for (const [at, kWh] of spread(subject)) {
          add(of, id, has ? kWh : 0);
          if (!has) of.set(id, (of.get(id) ?? 0) + kWh);
          if (!counted.has(subject)) add(byPeriod, at, kWh);
        }
      counted.add(id);
      for (const device of devices) counted.add(device);
    }
    for (const id of whole) if (!counted.has(id)) for (const [at, kWh] of spread(id)) add(byPeriod, at, kWh);
    const total = byPeriod.size === 0 ? null : [...byPeriod.values()].reduce((a, b) => a + b, 0);
    return { of, byPeriod, total };
  }
}

/** Of one device on one day. Energies in kWh; `ratio` as a part of 1, as the report of daily energy has it. */
export interface DayOfDevice {
  energyKWh: number | null;
  expectedKWh: number | null;
  /** Of the times for which both are known: the ratio is made of these. */
  pairedKWh: number | null;
  pairedExpectedKWh: number | null;
  peakKWp: number | null;
  ratio: number | null;
  reason: ReportReason | null;
  /** How many of `all` sources have energy. */
  counted: number;
  all: number;
  computedAt: number | null;
}

function dayOfDevice(sums: DaySums | null, sources: readonly SumsRow[], configs: EnergyConfigs): DayOfDevice {
  const { values, reasons } = figuresOf('daily-energy', sums, {}, configs);
  const number = (key: string) => (typeof values[key] === 'number' ? values[key] : null);
  return {
    energyKWh: number('production'),
    expectedKWh: number('expected'),
    pairedKWh: sums?.pairedKWh ?? null,
    pairedExpectedKWh: sums?.pairedExpectedKWh ?? null,
    peakKWp: sums?.peakKWp ?? null,
    ratio: number('performance'),
    reason: reasons.performance ?? null,
    counted: sources.filter(({ energyKWh }) => energyKWh !== null).length,
    all: sources.length,
    computedAt: sums?.computedAt ?? null,
  };
}

interface Metered {
  of: Map<string, number>;
  byPeriod: Map<string, number>;
  total: number | null;
}
const NOTHING_METERED: Metered = { of: new Map(), byPeriod: new Map(), total: null };

const METERED: ReadonlySet<EnergyReportName> = new Set(['energy', 'daily-energy', 'performance-ratio']);
const BY = { portfolio: 'device', site: 'device', device: 'source', source: 'day' } as const;

/** Days that reports know: those that a calendar and its neighbours can hold. */
const [FIRST_DAY, LAST_DAY] = ['1970-01-01', '2148-12-31'];

export function demandSpan({ from, to }: Span): void {
  for (const [path, day] of [
    ['from', from],
    ['to', to],
  ] as const)
    if (day < FIRST_DAY || day > LAST_DAY)
      throw invalid('issue.energy_days', { from: FIRST_DAY, to: LAST_DAY }, path);
  if (to < from) throw invalid('issue.end_first', {}, 'to');
  if (daysOf({ from, to }) > ENERGY_LIMITS.days)
    throw invalid('issue.energy_span', { days: String(ENERGY_LIMITS.days) }, 'to');
}

/** Of several, the hours of the one that has most; those of the days of one are added up. */
const mostCurtailed = (rows: readonly ReportRow[], total: SumsRow | null): number | null =>
  rows.some(({ level }) => level === 'day')
    ? total?.curtailedHours || null
    : Math.max(0, ...rows.map(({ curtailedHours }) => curtailedHours ?? 0)) || null;

const isTotal = ({ device, day, period }: SumsRow) => device === null && day === null && period === null;

/** Sites whose meters tell of what is asked for. A part of a site has no meter. */
const metersOf = ({ kind, sites, site }: ReportScope): readonly MeterSite[] =>
  kind === 'portfolio' ? sites : site ? [site] : [];

/** Codes that count production, as far as the caller may know of them. */
function productionCodes(caller: Caller, configs: EnergyConfigs): ReadonlySet<string> {
  const { codes, sites } = configs['meter-data-config'];
  const visible = new Set(visibleCodes(caller, { codes, sites }));
  return new Set(
    codes.flatMap(({ code, counts }) => (counts === 'production' && visible.has(code) ? [code] : [])),
  );
}

function sitesFor({ caller, scope, configs }: Asking) {
  const counted = productionCodes(caller, configs);
  return scope.sites.map(({ id, codes, devices }) => ({
    site: id,
    codes: codes.filter((code) => counted.has(code)),
    devices,
  }));
}

export function columnsOf(report: EnergyReportName, configs: EnergyConfigs): ReportColumn[] {
  const isShown = (key: string) =>
    key !== 'specificYield' || report !== 'daily-energy' || configs['daily-energy-config'].showSpecificYield;
  return (Object.entries(REPORT_COLUMNS[report]) as [string, FigureKind][])
    .filter(([key]) => isShown(key))
    .map(([key, kind]) => ({ key, kind, units: FIGURE_KINDS[kind] }));
}

interface RowContext {
  asking: Asking;
  keyed: readonly SumsRow[];
  facts: (key: string, devices: readonly string[], site: MeterSite | null) => RowFacts;
  binsOf: ReturnType<typeof collectBins>;
}
type Listed = Pick<Answer, 'listed' | 'rows'>;

const NO_PLACE = { deviceId: null, table: null, source: null, day: null };

/** Sites where there are some, with devices that belong to none; otherwise devices. By name. */
function deviceRows({ asking, keyed, facts }: RowContext): Listed {
  const { report, scope, configs } = asking;
  const byDevice = new Map(keyed.map((row) => [row.device, row]));
  const sites = scope.kind === 'portfolio' ? scope.sites : [];
  const inSites = new Set(sites.flatMap(({ devices }) => devices));
  const ofSites = sites.map((site): ReportRow => {
    const sums = addSums(site.devices.flatMap((id) => byDevice.get(id) ?? []));
    const figures = figuresOf(report, sums, facts(site.id, site.devices, site), configs);
    return { ...NO_PLACE, scope: `site:${site.id}`, level: 'site', name: site.name, ...figures };
  });
  const ofDevices = scope.devices.flatMap(({ id, name }): ReportRow[] => {
    const sums = byDevice.get(id);
    if (!sums || inSites.has(id)) return [];
    const figures = figuresOf(report, sums, facts(id, [id], null), configs);
    return [{ ...NO_PLACE, scope: `device:${id}`, level: 'device', name, deviceId: id, ...figures }];
  });
  const rows = [...ofSites, ...ofDevices].toSorted((a, b) => a.name.localeCompare(b.name));
  return { listed: sites.length > 0 ? 'meterSites' : 'devices', rows };
}

function sourceRows({ asking, keyed, facts }: RowContext): Listed {
  const { report, configs } = asking;
  const rows = keyed.flatMap((sums): ReportRow[] => {
    const place = placeOf(sums);
    if (!place) return [];
    const figures = figuresOf(report, sums, facts('', [], null), configs);
    return [sourceRow(place, place.source, figures)];
  });
  return { listed: 'sources', rows: rows.toSorted(byName) };
}

const byName = (a: ReportRow, b: ReportRow) => a.name.localeCompare(b.name, undefined, { numeric: true });

function dayRows({ asking, keyed, facts }: RowContext): Listed {
  const { report, scope, configs } = asking;
  const { device, table, source } = scope.source ?? { device: '', table: '', source: '' };
  const rows = keyed.map(
    (sums): ReportRow => ({
      ...{ scope: sourceScope({ device, table, source }), level: 'day', name: sums.day ?? '' },
      ...{ deviceId: device, table, source, day: sums.day },
      ...figuresOf(report, sums, facts('', [], null), configs),
    }),
  );
  return { listed: 'days', rows: rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** Inverters wherever they are, each beside those with like orientation. */
function inverterRows({ asking, keyed, binsOf }: RowContext): Listed {
  const { report, scope, configs } = asking;
  const names = new Map(scope.devices.map(({ id, name }) => [id, name]));
  const isMany = scope.devices.length > 1;
  const yields = new Map<SumsRow, number>();
  for (const row of keyed)
    if (row.energyKWh !== null && row.peakKWp) yields.set(row, row.energyKWh / row.peakKWp);
  const peers = Map.groupBy(yields.keys(), peersKey);
  const middle = new Map(
    [...peers].map(([key, rows]) => [
      key,
      rows.length < 2 ? null : median(rows.map((row) => yields.get(row) ?? null)),
    ]),
  );
  const rows = keyed.slice(0, SOURCES_LISTED).flatMap((sums): ReportRow[] => {
    const place = placeOf(sums);
    if (!place) return [];
    const isBelow = (sums.pairedKWh ?? 0) < (sums.pairedExpectedKWh ?? 0) * BELOW_ESTIMATE;
    const hasEstimate = (sums.pairedExpectedKWh ?? 0) > 0;
    const figures = figuresOf(
      report,
      sums,
      {
        below: { below: hasEstimate && isBelow ? 1 : 0, sources: hasEstimate ? 1 : 0 },
        bins: binsOf.of.get(binKey(place)) ?? null,
        peersYield: middle.get(peersKey(sums)) ?? null,
      },
      configs,
    );
    const name = isMany ? `${names.get(place.device) ?? ''} · ${place.source}` : place.source;
    return [sourceRow(place, name, figures)];
  });
  return { listed: 'sources', rows: rows.toSorted(byName) };
}

/** Those of one device that face the same way, to ten degrees. */
const peersKey = ({ device, azimuth }: SumsRow): string =>
  `${device}\n${azimuth === null ? '' : Math.round(azimuth / 10) % 36}`;

interface Place {
  device: string;
  table: string;
  source: string;
}
const placeOf = ({ device, table, source }: SumsRow): Place | null =>
  device !== null && table !== null && source !== null ? { device, table, source } : null;

const sourceRow = (place: Place, name: string, figures: Figures): ReportRow => ({
  ...{ scope: sourceScope(place), level: 'source', name },
  ...{ deviceId: place.device, table: place.table, source: place.source, day: null, ...figures },
});

const binKey = ({ device, table, source }: Place) => `${device}\n${table}\n${source}`;

function collectBins(rows: readonly (Place & { bin: number; acKWh: number; dcKWh: number })[]) {
  const empty = () => LOAD_CLASSES.map((): [number, number] => [0, 0]);
  const of = new Map<string, [number, number][]>();
  const total = empty();
  for (const row of rows) {
    const own = of.get(binKey(row)) ?? empty();
    of.set(binKey(row), own);
    for (const sum of [own[row.bin], total[row.bin]]) {
      if (!sum) continue;
      sum[0] += row.acKWh;
      sum[1] += row.dcKWh;
    }
  }
  return { of: of as ReadonlyMap<string, PowerBins>, total: rows.length > 0 ? (total as PowerBins) : null };
}

/** Each number column over the periods, as far as any of them has a value. */
function seriesOf(
  { report, configs }: Asking,
  periods: readonly string[],
  ofPeriod: ReadonlyMap<string, SumsRow>,
  meters: Metered | null,
  budgets: Metered | null,
): EnergyReport['series'] {
  const figures = periods.map((period) =>
    figuresOf(
      report,
      ofPeriod.get(period) ?? null,
      {
        meterKWh: meters?.byPeriod.get(period) ?? null,
        budgetKWh: budgets?.byPeriod.get(period) ?? null,
      },
      configs,
    ),
  );
  return columnsOf(report, configs).flatMap(({ key, kind }) => {
    if (kind === 'text') return [];
    const values = figures.map(({ values: own }) => (typeof own[key] === 'number' ? own[key] : null));
    return values.every((value) => value === null) ? [] : [{ key, values }];
  });
}
