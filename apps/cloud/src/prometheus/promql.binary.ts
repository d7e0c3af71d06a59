import { PromqlFault } from './promql.fault.ts';
import type { Matching } from './promql.parse.ts';
import { keyOf, type Labels, type Line, nameless, someLabels, type Value } from './promql.values.ts';

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '^': (a, b) => a ** b,
};
const COMPARE: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
};

interface Binary {
  operator: string;
  isBool: boolean;
  matching: Matching;
}

/** What an operator makes of two sides. Throws `PromqlFault`. */
export function binary(of: Binary, left: Value, right: Value): Value {
  const { operator } = of;
  if (left.kind === 'string' || right.kind === 'string')
    throw new PromqlFault(`parse error: binary expression must contain only scalar and instant vector types`);
  if (operator === 'and' || operator === 'or' || operator === 'unless') {
    if (left.kind !== 'vector' || right.kind !== 'vector')
      throw new PromqlFault(
        `parse error: set operator "${operator}" not allowed in binary scalar expression`,
      );
    return { kind: 'vector', lines: sets(operator, of.matching, left.lines, right.lines) };
  }
  if (left.kind === 'scalar' && right.kind === 'scalar') {
    if (Object.hasOwn(COMPARE, operator) && !of.isBool)
      throw new PromqlFault('parse error: comparisons between scalars must use BOOL modifier');
    const values = left.values.map((a, i) => result(of, a, right.values[i] as number, true) ?? 0);
    return { kind: 'scalar', values };
  }
  const lines =
    left.kind === 'vector' && right.kind === 'vector'
      ? matched(of, left.lines, right.lines)
      : withScalar(of, left, right);
  return { kind: 'vector', lines: lines.filter(({ values }) => values.some((one) => one !== undefined)) };
}

/** Of a comparison that filters, the value that passes; undefined where none does. */
function result({ operator, isBool }: Binary, a: number, b: number, keepsA: boolean): number | undefined {
  const compare = Object.hasOwn(COMPARE, operator) ? COMPARE[operator] : undefined;
  if (!compare) return ARITHMETIC[operator]?.(a, b);
  const holds = compare(a, b);
  if (isBool) return holds ? 1 : 0;
  return holds ? (keepsA ? a : b) : undefined;
}

const dropsName = ({ operator, isBool }: Binary): boolean => isBool || Object.hasOwn(ARITHMETIC, operator);

function withScalar(of: Binary, left: Value, right: Value): Line[] {
  const isLeft = left.kind === 'vector';
  const lines = left.kind === 'vector' ? left.lines : right.kind === 'vector' ? right.lines : [];
  const numbers = left.kind === 'scalar' ? left.values : right.kind === 'scalar' ? right.values : [];
  return lines.map(({ labels, values }) => ({
    labels: dropsName(of) ? nameless(labels) : labels,
    values: values.map((value, i) => {
      const number = numbers[i];
      if (value === undefined || number === undefined) return undefined;
      return isLeft ? result(of, value, number, true) : result(of, number, value, false);
    }),
  }));
}

const signature = ({ on, ignoring }: Matching, labels: Labels): Labels =>
  someLabels(labels, (name) => (on ? on.includes(name) : name !== '__name__' && !ignoring.includes(name)));

function matched(of: Binary, left: readonly Line[], right: readonly Line[]): Line[] {
  const { matching } = of;
  const [many, one] = matching.many === 'right' ? [right, left] : [left, right];
  const partners = new Map<string, Line[]>();
  for (const line of one) {
    const key = keyOf(signature(matching, line.labels));
    partners.set(key, [...(partners.get(key) ?? []), line]);
  }
  const seen = new Map<string, Line[]>();
  const lines: Line[] = [];
  for (const line of many) {
    const key = keyOf(signature(matching, line.labels));
    const found = partners.get(key) ?? [];
    const before = seen.get(key) ?? [];
    seen.set(key, [...before, line]);
    if (found.length === 0) continue;
    if (matching.many === null) demandOne([...before, line]);
    demandOne(found);
    lines.push(joined(of, line, found));
  }
  return lines;
}

/** Several lines may stand for one another in turn, but not at the same step. */
function demandOne(lines: readonly Line[]): void {
  if (lines.length < 2) return;
  const steps = lines[0]?.values.length ?? 0;
  for (let i = 0; i < steps; i++) {
    if (lines.filter(({ values }) => values[i] !== undefined).length > 1)
      throw new PromqlFault(
        'found duplicate series for the match group: many-to-many matching not allowed, matching labels must be unique on one side',
        'execution',
      );
  }
}

function joined(of: Binary, many: Line, ones: readonly Line[]): Line {
  const { matching } = of;
  const partner = (i: number) => ones.map(({ values }) => values[i]).find((value) => value !== undefined);
  const values = many.values.map((value, i) => {
    const other = partner(i);
    if (value === undefined || other === undefined) return undefined;
    return matching.many === 'right' ? result(of, other, value, false) : result(of, value, other, true);
  });
  return { labels: joinedLabels(of, many.labels, ones[0]?.labels ?? {}), values };
}

function joinedLabels(of: Binary, many: Labels, one: Labels): Labels {
  const { matching } = of;
  const kept = dropsName(of) ? nameless(many) : many;
  if (matching.many !== null) {
    const labels: Record<string, string> = Object.assign(Object.create(null), kept);
    for (const name of matching.include) {
      delete labels[name];
      if (Object.hasOwn(one, name)) labels[name] = one[name] as string;
    }
    return labels;
  }
  return matching.on
    ? someLabels(kept, (name) => matching.on?.includes(name) || (name === '__name__' && !dropsName(of)))
    : someLabels(kept, (name) => !matching.ignoring.includes(name));
}

function sets(operator: 'and' | 'or' | 'unless', matching: Matching, left: Line[], right: Line[]): Line[] {
  const presence = (lines: readonly Line[]) => {
    const found = new Map<string, boolean[]>();
    for (const { labels, values } of lines) {
      const key = keyOf(signature(matching, labels));
      const known = found.get(key) ?? values.map(() => false);
      found.set(
        key,
        known.map((one, i) => one || values[i] !== undefined),
      );
    }
    return (labels: Labels, i: number) => found.get(keyOf(signature(matching, labels)))?.[i] ?? false;
  };
  const only = (lines: readonly Line[], passes: (labels: Labels, i: number) => boolean): Line[] =>
    lines
      .map(({ labels, values }) => ({
        labels,
        values: values.map((value, i) => (passes(labels, i) ? value : undefined)),
      }))
      .filter(({ values }) => values.some((one) => one !== undefined));
  if (operator === 'or') {
    const isLeft = presence(left);
    return [...left, ...only(right, (labels, i) => !isLeft(labels, i))];
  }
  const isRight = presence(right);
  return only(left, (labels, i) => isRight(labels, i) === (operator === 'and'));
}
