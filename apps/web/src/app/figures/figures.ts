import type { Kpi, KpiAnswer, KpiCell, KpiResult } from '@albedo/contract/kpis/kpis.schema';

/** How a value is called on screens. */
export const titleOf = (name: string, { displayName }: { displayName: string }): string =>
  displayName || name;

/** The values of an answer in the order of the definition, the primary one first. */
export function resultsOf(
  { values }: Pick<Kpi, 'values'>,
  answer: KpiAnswer | undefined,
): { name: string; result: KpiResult | undefined; title: string; isPrimary: boolean }[] {
  const names = Object.keys(values);
  const primary = names.find((name) => values[name]?.isPrimary) ?? names[0];
  const all = names.map((name) => ({
    name,
    result: answer?.values[name],
    title: titleOf(name, { displayName: values[name]?.displayName ?? '' }),
    isPrimary: name === primary,
  }));
  return all.toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary));
}

/** Why a KPI has no value, such as no readings or too little light for a ratio; null if it has one. */
export const whyMissing = ({ value, count, coverage, isTooDark }: KpiCell): WhyMissing | null => {
  if (value !== null) return null;
  if (count === 0 || coverage === 0) return 'notMeasured';
  return isTooDark ? 'tooDark' : 'notComputable';
};
export type WhyMissing = 'notMeasured' | 'notComputable' | 'tooDark';
