import type { EnergyReportName } from '@albedo/contract/energy/energy.names';
import type { ReportReason } from '@albedo/contract/energy/energy.schema';
import type { EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import { availabilityOf, energyAvailability } from '@albedo/energy/availability';
import { type Figure, figureOf, noFigure, type Reason, ratioOf } from '@albedo/energy/figure';
import { CEC, type EfficiencyWeights, EUROPEAN } from '@albedo/energy/inverter-efficiency';
import { noSums, type PerformanceSums, performanceFigures } from '@albedo/energy/performance';
import type { PowerBins } from './energy.tables.ts';
import { LOAD_CLASSES } from './energy-day.ts';
import type { DaySums } from './energy-reports.store.ts';

/** Why there is no figure, as reports say it. */
const REASONS: Record<Reason, ReportReason> = {
  no_energy: 'noEnergy',
  no_rating: 'noRating',
  no_irradiation: 'noIrradiance',
  too_little_irradiation: 'tooLittleLight',
  horizontal_sensor: 'horizontalSensor',
  no_dc_energy: 'noEnergy',
  no_temperature: 'noTemperature',
  no_coefficient: 'notConfigured',
  no_reference_temperature: 'noReference',
  no_expected: 'noEstimate',
  no_budget: 'noBudget',
  no_peers: 'noPeers',
  no_meter: 'noMeter',
  no_hours: 'noEnergy',
  empty_bin: 'emptyPowerBin',
  nothing_rated: 'tooLittleLight',
  too_short: 'noReference',
};

export type Values = Record<string, number | string | null>;
export interface Figures {
  values: Values;
  reasons: Record<string, ReportReason>;
  curtailedHours: number | null;
}

/** What a row is made of beside the sums of its days. */
export interface RowFacts {
  meterKWh?: number | null;
  budgetKWh?: number | null;
  /** Of days on which meter and inverters both have a value. */
  reconciled?: { meterKWh: number; energyKWh: number } | null;
  below?: { below: number; sources: number } | null;
  bins?: PowerBins | null;
  /** Median of the specific yields of sources with like orientation, among them this one. */
  peersYield?: number | null;
  degradation?: Figure | null;
}

/** Figures of one row, or of the total. */
export function figuresOf(
  report: EnergyReportName,
  sums: DaySums | null,
  facts: RowFacts,
  configs: EnergyConfigs,
): Figures {
  const figures = new FigureSet();
  if (report !== 'daily-energy-anomalies') {
    FILL[report](figures, sums, facts, configs);
    figures.markCurtailed(sums, CURTAILED[report]);
  }
  return { values: figures.values, reasons: figures.reasons, curtailedHours: sums?.curtailedHours || null };
}

class FigureSet {
  readonly values: Values = {};
  readonly reasons: Record<string, ReportReason> = {};

  set(key: string, figure: Figure): void {
    this.values[key] = figure.value;
    if (figure.reason !== null) this.reasons[key] = REASONS[figure.reason];
  }

  number(key: string, value: number | null | undefined, reason: ReportReason): void {
    this.values[key] = value ?? null;
    if (value === null || value === undefined) this.reasons[key] = reason;
  }

  text(key: string, value: string | null, reason: ReportReason): void {
    this.values[key] = value;
    if (value === null) this.reasons[key] = reason;
  }

  /** What a figure that is there must not be taken for. */
  mark(key: string, reason: ReportReason): void {
    if (this.values[key] !== null && this.values[key] !== undefined) this.reasons[key] = reason;
  }

  /** What a limit on power changed says so, unless there is more to say of it; so does what it left nothing of. */
  markCurtailed(sums: DaySums | null, keys: readonly string[]): void {
    if (!sums?.curtailedHours) return;
    for (const key of keys) {
      const reason = this.reasons[key];
      const isEmptied = this.values[key] === null && sums.expectedKWh !== null && EMPTIED.includes(reason);
      if (isEmptied || (this.values[key] !== null && reason === undefined)) this.reasons[key] = 'curtailed';
    }
  }

  /** What rests on light that was not measured in the planes says so. */
  markLight(sums: DaySums | null, ...keys: string[]): void {
    const reason = sums?.isClearSky ? 'clearSky' : sums?.isHorizontal ? 'horizontalSensor' : null;
    if (reason) for (const key of keys) this.mark(key, reason);
  }
}

/** What a limit on power changes: what was made of it, and the ratios that leave its hours out. */
const CURTAILED: Record<Exclude<EnergyReportName, 'daily-energy-anomalies'>, readonly string[]> = {
  energy: ['production'],
  'daily-energy': ['production', 'performance'],
  'performance-ratio': ['production', 'performance', 'performanceRatio'],
  'capacity-factor': ['production', 'capacityFactor'],
  'inverter-performance': ['production', 'performance'],
  'iec-performance-ratio': [
    'production',
    'performanceRatio',
    'performanceRatio25',
    'performanceRatioWeather',
  ],
};
/** Reasons that ratios have whose hours were all left out. */
const EMPTIED: readonly (ReportReason | undefined)[] = ['noEstimate', 'noIrradiance'];

type Fill = (set: FigureSet, sums: DaySums | null, facts: RowFacts, configs: EnergyConfigs) => void;

const noEstimate = (sums: DaySums | null): ReportReason =>
  sums === null ? 'noEstimate' : sums.peakKWp === null ? 'noRating' : 'noIrradiance';

/** Days without either leave both sums. */
const performanceOf = (sums: DaySums | null): Figure =>
  sums?.energyKWh == null
    ? noFigure('no_energy')
    : ratioOf(sums.pairedKWh ?? 0, sums.pairedExpectedKWh ?? 0, 'no_expected');

const yieldOf = (sums: DaySums | null): Figure =>
  sums?.energyKWh == null
    ? noFigure('no_energy')
    : ratioOf(sums.yieldKWh ?? 0, sums.yieldPeakKWp ?? 0, 'no_rating');

function energies(
  set: FigureSet,
  sums: DaySums | null,
  facts: RowFacts,
  expected: 'estimate' | 'expected',
): void {
  set.number('production', sums?.energyKWh, 'noEnergy');
  set.number(expected, sums?.expectedKWh, noEstimate(sums));
  set.markLight(sums, expected);
  set.number('meter', facts.meterKWh, 'noMeter');
  set.number('budget', facts.budgetKWh, 'noBudget');
}

const FILL: Record<Exclude<EnergyReportName, 'daily-energy-anomalies'>, Fill> = {
  energy: (set, sums, facts) => energies(set, sums, facts, 'estimate'),
  'daily-energy': (set, sums, facts) => {
    energies(set, sums, facts, 'expected');
    set.set('performance', performanceOf(sums));
    counts(set, facts);
    set.markLight(sums, 'performance', 'below');
    set.number('wholeDays', sums?.wholeDays ?? 0, 'noEnergy');
    set.set('specificYield', yieldOf(sums));
  },
  'performance-ratio': (set, sums, facts, configs) => {
    energies(set, sums, facts, 'estimate');
    const { from, to } = configs['performance-ratio-config'].band;
    const { reconciled } = facts;
    const deviation = reconciled
      ? ratioOf(reconciled.meterKWh - reconciled.energyKWh, reconciled.meterKWh, 'no_meter')
      : noFigure(facts.meterKWh == null ? 'no_meter' : 'no_energy');
    set.set('deviation', deviation);
    const { value } = deviation;
    set.text(
      'band',
      value === null ? null : value < from ? 'under' : value > to ? 'over' : 'within',
      'noMeter',
    );
    set.set('performance', performanceOf(sums));
    set.markLight(sums, 'performance');
    set.set(
      'budgetIndex',
      sums?.energyKWh == null
        ? noFigure('no_energy')
        : ratioOf(sums.energyKWh, facts.budgetKWh ?? 0, 'no_budget'),
    );
    set.set('performanceRatio', ratioFigures(sums, configs).performanceRatio);
  },
  'capacity-factor': (set, sums, _facts, configs) => {
    const { basis } = configs['capacity-factor-config'];
    const [energy, possible, rating] =
      basis === 'ac'
        ? [sums?.ratedEnergyKWh, sums?.energyRatedKWh, sums?.ratedKW]
        : [sums?.yieldKWh, sums?.yieldPeakKWh, sums?.peakKWp];
    set.number('production', sums?.energyKWh, 'noEnergy');
    set.number('rating', rating, 'noRating');
    set.text('basis', basis, 'notConfigured');
    const factor =
      sums?.energyKWh == null ? noFigure('no_energy') : ratioOf(energy ?? 0, possible ?? 0, 'no_rating');
    set.set('capacityFactor', factor);
    if ((factor.value ?? 0) > 1) set.mark('capacityFactor', 'beyondRating');
  },
  'inverter-performance': (set, sums, facts, configs) => {
    set.number('production', sums?.energyKWh, 'noEnergy');
    set.number('expected', sums?.expectedKWh, noEstimate(sums));
    set.set('performance', performanceOf(sums));
    const specific = yieldOf(sums);
    set.set('specificYield', specific);
    set.number(
      'peers',
      specific.value !== null && facts.peersYield ? specific.value / facts.peersYield : null,
      specific.value === null ? 'noRating' : 'noPeers',
    );
    efficiencies(set, facts.bins ?? null, sums?.ratedKW == null && sums?.peakKWp == null);
    availabilities(set, sums, configs);
    counts(set, facts);
    set.markLight(sums, 'expected', 'performance', 'below');
  },
  'iec-performance-ratio': (set, sums, facts, configs) => {
    const figures = ratioFigures(sums, configs);
    set.number('production', sums?.energyKWh, 'noEnergy');
    set.set(
      'irradiation',
      sums?.referenceKWh == null
        ? noFigure('no_irradiation')
        : ratioOf(sums.referenceKWh, sums.referencePeakKWp ?? 0, 'no_rating'),
    );
    set.set('referenceYield', figures.referenceYieldH);
    set.set('arrayYield', figures.arrayYieldH);
    set.set('finalYield', figures.finalYieldH);
    set.set('captureLoss', figures.captureLossH);
    set.set('systemLoss', figures.bosLossH);
    set.set('performanceRatio', figures.performanceRatio);
    set.set('performanceRatio25', figures.temperatureCorrectedRatio);
    set.set('performanceRatioWeather', figures.weatherCorrectedRatio);
    set.set('completeness', figures.completeness);
    set.set('degradation', facts.degradation ?? noFigure('too_short'));
  },
};

function counts(set: FigureSet, { below }: RowFacts): void {
  set.number('below', below && below.sources > 0 ? below.below : null, 'noEstimate');
  set.number('inverters', below?.sources ?? 0, 'noEnergy');
}

/** The ratios of sums as the store has them. */
export function ratioFigures(sums: DaySums | null, configs: EnergyConfigs) {
  const { gammaPerK, referenceTemperatureC: referenceC } = configs['iec-perf-ratio-config'];
  const figures = performanceFigures(performanceOfDays(sums, gammaPerK), { referenceC });
  if (!sums || sums.usedKWh !== null || sums.referenceKWh === null) return figures;
  const why = noFigure(
    sums.isHorizontal ? 'horizontal_sensor' : sums.isClearSky ? 'no_irradiation' : 'no_rating',
  );
  const { finalYieldH: _final, completeness, ...ratios } = figures;
  const none = Object.fromEntries(Object.keys(ratios).map((key) => [key, why])) as typeof ratios;
  return { ...none, finalYieldH: yieldOf(sums), completeness };
}

function performanceOfDays(sums: DaySums | null, gammaPerK: number): PerformanceSums {
  const dcKw = sums?.usedPeakKWp ?? sums?.peakKWp ?? 0;
  const none = noSums(dcKw);
  if (!sums) return none;
  const warm = sums.warmReferenceKWh ?? 0;
  const heat = sums.warmthKWhC ?? 0;
  // What has DC energy may be a part of it: its yields are by its own rating.
  const part = sums.usedDcPeakKWp ? dcKw / sums.usedDcPeakKWp : 1;
  return {
    ...none,
    energyKwh: sums.usedKWh ?? 0,
    referenceKwh: sums.usedReferenceKWh ?? 0,
    dc: {
      dcEnergyKwh: (sums.usedDcKWh ?? 0) * part,
      energyKwh: (sums.usedDcAcKWh ?? 0) * part,
      referenceKwh: (sums.usedDcReferenceKWh ?? 0) * part,
    },
    warm: {
      energyKwh: sums.warmKWh ?? 0,
      referenceKwh: warm,
      referenceKwhC: heat,
      slopeKwhPerK: warm * gammaPerK,
      slopeKwhCPerK: heat * gammaPerK,
      withoutCoefficientKwh: 0,
    },
    hours: { ...none.hours, used: sums.usedHours ?? 0, missing: sums.missedHours ?? 0 },
  };
}

function availabilities(set: FigureSet, sums: DaySums | null, configs: EnergyConfigs): void {
  const of = (available: number | null | undefined, unavailable: number | null | undefined): Figure =>
    available == null
      ? noFigure('no_irradiation')
      : availabilityOf({ available, unavailable: unavailable ?? 0 });
  const isByEnergy = configs['availability-config'].variant === 'energy';
  set.set(
    'availability',
    isByEnergy
      ? energyAvailability(sums?.energyKWh ?? null, sums?.lostKWh ?? null)
      : of(sums?.availableHours, sums?.unavailableHours),
  );
  set.set('contractualAvailability', of(sums?.contractAvailableHours, sums?.contractUnavailableHours));
}

function efficiencies(set: FigureSet, bins: PowerBins | null, isUnrated: boolean): void {
  const none = noFigure(isUnrated ? 'no_rating' : 'no_dc_energy');
  const [ac, dc] = (bins ?? []).reduce(([a, d], [x, y]) => [a + x, d + y], [0, 0]);
  set.set('efficiency', bins && dc > 0 ? ratioOf(ac, dc, 'no_dc_energy') : none);
  set.set('europeanEfficiency', bins && dc > 0 ? weightedEfficiency(bins, EUROPEAN) : none);
  set.set('cecEfficiency', bins && dc > 0 ? weightedEfficiency(bins, CEC) : none);
}

/** Where a load was never seen there is no figure, as the others cannot say it. */
function weightedEfficiency(bins: PowerBins, { loads, weights }: EfficiencyWeights): Figure {
  const sums = loads.map((): [number, number] => [0, 0]);
  bins.forEach(([ac, dc], i) => {
    const middle = ((LOAD_CLASSES[i] ?? 1) + (LOAD_CLASSES[i + 1] ?? 1.2)) / 2;
    const nearest = loads.reduce(
      (best, load, k) => (Math.abs(load - middle) < Math.abs((loads[best] ?? 0) - middle) ? k : best),
      0,
    );
    const sum = sums[nearest];
    if (sum) {
      sum[0] += ac;
      sum[1] += dc;
    }
  });
  let figure = 0;
  for (const [i, [ac, dc]] of sums.entries()) {
    if (dc <= 0) return noFigure('empty_bin');
    figure += (ac / dc) * (weights[i] ?? 0);
  }
  return figureOf(figure, 'empty_bin');
}
