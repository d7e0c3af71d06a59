import { PromqlFault } from './promql.fault.ts';
import { keyOf, type Labels, type Line, someLabels } from './promql.values.ts';

type Group = { labels: Labels; lines: Line[] };

const PLAIN: Readonly<Record<string, (values: number[]) => number>> = {
  sum: (values) => values.reduce((sum, one) => sum + one, 0),
  avg: mean,
  min: (values) => values.reduce((least, one) => (one < least || Number.isNaN(least) ? one : least)),
  max: (values) => values.reduce((most, one) => (one > most || Number.isNaN(most) ? one : most)),
  count: (values) => values.length,
  group: () => 1,
  stddev: (values) => Math.sqrt(variance(values)),
  stdvar: variance,
};

function mean(values: number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

function variance(values: number[]): number {
  const middle = mean(values);
  return values.reduce((sum, one) => sum + (one - middle) ** 2, 0) / values.length;
}

/** One line for each group; `topk` and `bottomk` keep the lines that are the most or the least of their group. */
export function aggregate(
  name: string,
  lines: readonly Line[],
  of: { by: string[] | null; without: string[] | null; parameter: number[] | null },
): Line[] {
  const groups = groupsOf(lines, of);
  const { parameter } = of;
  if (name === 'topk' || name === 'bottomk')
    return groups.flatMap((one) => most(name, one, needed(name, parameter)));
  if (name === 'quantile')
    return groups.map((group) =>
      merged(group, (values, i) => quantile(needed(name, parameter)[i] ?? 0, values)),
    );
  const plain = Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
  if (!plain || parameter) throw new PromqlFault(`parse error: unknown aggregation or parameter: ${name}`);
  return groups.map((group) => merged(group, plain));
}

function needed(name: string, parameter: number[] | null): number[] {
  if (!parameter) throw new PromqlFault(`parse error: ${name} needs a parameter`);
  return parameter;
}

function groupsOf(
  lines: readonly Line[],
  { by, without }: { by: string[] | null; without: string[] | null },
): Group[] {
  const groups = new Map<string, Group>();
  for (const line of lines) {
    const labels = someLabels(line.labels, (label) =>
      without ? label !== '__name__' && !without.includes(label) : (by ?? []).includes(label),
    );
    const key = keyOf(labels);
    const group = groups.get(key) ?? { labels, lines: [] };
    group.lines.push(line);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function merged({ labels, lines }: Group, of: (values: number[], step: number) => number): Line {
  const values = (lines[0]?.values ?? []).map((_one, i) => {
    const present = lines.map(({ values: all }) => all[i]).filter((one) => one !== undefined);
    return present.length === 0 ? undefined : of(present, i);
  });
  return { labels, values };
}

function most(name: string, { lines }: Group, counts: number[]): Line[] {
  const kept = lines.map(({ labels, values }): Line => ({ labels, values: values.map(() => undefined) }));
  const sign = name === 'topk' ? -1 : 1;
  counts.forEach((count, i) => {
    const present = lines
      .map(({ values }, line) => ({ line, value: values[i] }))
      .filter((one): one is { line: number; value: number } => one.value !== undefined)
      .sort((a, b) => sign * (a.value - b.value));
    for (const { line, value } of present.slice(0, Math.max(0, Math.trunc(count))))
      (kept[line] as Line).values[i] = value;
  });
  return kept.filter(({ values }) => values.some((one) => one !== undefined));
}

/** Between the two values that are nearest to the share. Source: quantile of Prometheus, quantile.go. */
export function quantile(share: number, values: readonly number[]): number {
  if (Number.isNaN(share)) return Number.NaN;
  if (share < 0) return -Infinity;
  if (share > 1) return Infinity;
  // What is no number comes first there.
  const sorted = Float64Array.from(values, (value) => (Number.isNaN(value) ? -Infinity : value)).sort();
  const nothing = values.filter(Number.isNaN).length;
  const rank = share * (sorted.length - 1);
  const at = (place: number) => (place < nothing ? Number.NaN : (sorted[place] as number));
  const weight = rank - Math.floor(rank);
  return at(Math.floor(rank)) * (1 - weight) + at(Math.min(sorted.length - 1, Math.floor(rank) + 1)) * weight;
}
