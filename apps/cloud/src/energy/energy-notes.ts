import type { EnergyReport, ReportReason } from '@albedo/contract/energy/energy.schema';
import type { Answer, Asking } from './energy-asking.ts';

/** What stands beside the figures of a whole report. */
export function notesOf(
  { report, configs }: Asking,
  { total, rows }: Pick<Answer, 'total' | 'rows'>,
): EnergyReport['notes'] {
  const notes: EnergyReport['notes'] = [];
  const note = (reason: ReportReason, value: number | null = null) =>
    notes.push({ reason, value, names: [] });
  const { irradianceFloorWm2, isBifacial, roles } = configs['iec-perf-ratio-config'];
  if (report === 'iec-performance-ratio') {
    note('irradianceFloor', irradianceFloorWm2);
    if (isBifacial && !roles.irradianceRear) note('frontSideOnly');
  }
  for (const reason of ['clearSky', 'horizontalSensor'] as const)
    if (Object.values(total.reasons).includes(reason)) note(reason);
  const curtailed = rows.filter(({ curtailedHours }) => curtailedHours !== null);
  if (total.curtailedHours !== null)
    notes.push({
      reason: 'curtailed',
      value: total.curtailedHours,
      names: curtailed.slice(0, 20).map(({ name }) => name),
    });
  return notes;
}

/** What is not set yet, with the configuration that sets it. */
export function missingOf(
  { report, scope, configs }: Asking,
  { total, rows }: Answer,
  isKept: boolean,
): EnergyReport['missing'] {
  const missing: EnergyReport['missing'] = [];
  const add = (
    reason: ReportReason,
    config: EnergyReport['missing'][number]['config'],
    names: string[] = [],
  ) => missing.push({ reason, config, names });
  if (!isKept) add('noEnergy', 'daily-energy-config');
  const lacking = (reason: ReportReason) =>
    rows.flatMap(({ name, reasons }) => (Object.values(reasons).includes(reason) ? [name] : [])).slice(0, 20);
  if (!isKept) return missing;
  const unrated = lacking('noRating');
  if (unrated.length > 0)
    add(
      'noRating',
      report === 'capacity-factor' ? 'capacity-factor-config' : 'performance-ratio-config',
      unrated,
    );
  const dark = lacking('noIrradiance');
  if (dark.length > 0) add('noIrradiance', 'performance-ratio-config', dark);
  if (
    report === 'performance-ratio' &&
    configs['meter-data-config'].sites.length === 0 &&
    scope.kind === 'portfolio'
  )
    add('notConfigured', 'meter-data-config');
  else if (total.reasons.meter === 'noMeter') add('noMeter', 'meter-data-config');
  if (total.reasons.budget === 'noBudget') add('noBudget', 'meter-data-config');
  if (total.reasons.performanceRatioWeather === 'noReference') add('noReference', 'iec-perf-ratio-config');
  return missing;
}
