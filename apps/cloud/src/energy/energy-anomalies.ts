import type { ReportRow } from '@albedo/contract/energy/energy.schema';
import { type AnomalySubject, findAnomalies } from '@albedo/energy/anomalies';
import type { Answer, Asking } from './energy-asking.ts';
import type { EnergyDaysStore } from './energy-days.store.ts';
import { periodsOf } from './energy-periods.ts';
import { sourceScope } from './energy-scope.ts';

/** Days of sources that are looked through at once. */
const DAYS_READ = 200_000;
const FINDINGS = 5000;

/** Days that do not look right, the newest first, with what people decided of them. */
export async function findingsOf(
  store: EnergyDaysStore,
  { caller, scope, span, granularity }: Asking,
): Promise<Answer> {
  const rows = await store.days(caller.workgroup, span, scope.days, DAYS_READ);
  const days = periodsOf(span, 'day');
  const subjects: AnomalySubject<string>[] = [];
  const places = new Map<string, { device: string; table: string; source: string }>();
  const known = new Map<string, (typeof rows)[number]>();
  const hours = Date.now();
  for (const [key, own] of Map.groupBy(rows, ({ day }) => `${day.device}\n${day.table}\n${day.source}`)) {
    const { day: newest } = own.at(-1) as (typeof rows)[number];
    places.set(key, newest);
    const byDay = new Map(own.map((row) => [row.day.day, row]));
    for (const [day, row] of byDay) known.set(`${key}\n${day}`, row);
    subjects.push({
      subject: key,
      dcKw: newest.peakKWp,
      acKw: newest.ratedKW,
      orientation: `${newest.device} ${newest.azimuth === null ? '' : Math.round(newest.azimuth / 10) % 36}`,
      days: days.map((day) => {
        const row = byDay.get(day)?.day;
        const isOver = row ? !row.marks.includes('dayNotOver') : Date.parse(day) < hours - 2 * 86_400_000;
        return {
          day,
          // What is not over yet is not judged.
          energyKwh: isOver ? (row?.energyKWh ?? null) : null,
          isHorizontal: row?.light === 'horizontal',
          irradiationKwhM2: isOver ? (row?.irradiationKWhM2 ?? null) : null,
          expectedKwh:
            isOver && row?.light !== 'clearSky' && !row?.curtailedHours ? (row?.expectedKWh ?? null) : null,
          totalEnergyKwh: isOver && row?.method === 'totalEnergy' ? row.energyKWh : null,
          powerCurveKwh: isOver ? (row?.powerCurveKWh ?? null) : null,
          counter: row?.counter ?? null,
        };
      }),
    });
  }
  const names = new Map(scope.devices.map(({ id, name }) => [id, name]));
  const first = new Map(
    subjects.map(({ subject, days: own }) => [
      subject,
      own.find(({ energyKwh }) => energyKwh !== null)?.day ?? '',
    ]),
  );
  const found = findAnomalies(subjects).filter(
    // A source that had not been built yet did not fail.
    ({ subject, day, rule }) =>
      rule !== 'missing' ||
      (day >= (first.get(subject) || '9') &&
        known.get(`${subject}\n${day}`)?.day.marks.includes('dayNotOver') !== true &&
        Date.parse(day) < hours - 86_400_000),
  );
  const listed = found.toReversed().slice(0, FINDINGS);
  return {
    listed: 'sources',
    rows: listed.map(({ subject, day, rule, severity, ...found }): ReportRow => {
      const { value, expected, unit } = inPercent(found);
      const { device = '', table = '', source = '' } = places.get(subject) ?? {};
      const review = known.get(`${subject}\n${day}`)?.review ?? null;
      return {
        ...{ scope: sourceScope({ device, table, source }), level: 'finding' },
        name: `${names.get(device) ?? ''} · ${source}`,
        ...{ deviceId: device, table, source, day },
        values: { rule, value, expected, unit, severity, decision: review?.decision ?? null },
        reasons:
          review?.decision === 'exclude'
            ? { value: 'excluded' }
            : review?.decision === 'override'
              ? { value: 'overridden' }
              : known.get(`${subject}\n${day}`)?.day.marks.includes('curtailed')
                ? { value: 'curtailed' }
                : {},
        curtailedHours: known.get(`${subject}\n${day}`)?.day.curtailedHours ?? null,
      };
    }),
    total: { values: {}, reasons: {}, curtailedHours: null },
    sums: null,
    periods: periodsOf(span, granularity),
    series: [],
    computedAt: rows.reduce((newest, { day }) => Math.max(newest, day.computedAt), 0) || null,
  };
}

/** Shares of a whole as people read them. */
function inPercent<T extends { value: number | null; expected: number | null; unit: string | null }>(
  found: T,
): Pick<T, 'value' | 'expected'> & { unit: string | null } {
  const { value, expected, unit } = found;
  if (unit !== '1') return { value, expected, unit };
  const percent = (one: number | null) => (one === null ? null : one * 100);
  return { value: percent(value), expected: percent(expected), unit: '%' };
}
