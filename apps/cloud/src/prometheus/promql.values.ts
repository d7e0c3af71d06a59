import { PromqlFault } from './promql.fault.ts';

export type Labels = Readonly<Record<string, string>>;

/** One line: a value for each step, undefined where there is none. */
export interface Line {
  labels: Labels;
  values: (number | undefined)[];
}

export type Value =
  | { kind: 'scalar'; values: number[] }
  | { kind: 'string'; text: string }
  | { kind: 'vector'; lines: Line[] };

/** Names the same lines the same, whatever the order of their labels. */
export const keyOf = (labels: Labels): string =>
  JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Those of the labels whose names pass; labels come from outside, so the result has no prototype. */
export function someLabels(labels: Labels, passes: (name: string) => boolean): Labels {
  const kept: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(labels)) if (passes(name)) kept[name] = value;
  return kept;
}

/** What is computed is no longer the measured quantity. */
export const nameless = (labels: Labels): Labels => someLabels(labels, (name) => name !== '__name__');

export function linesOf(value: Value, what: string): Line[] {
  if (value.kind === 'vector') return value.lines;
  throw new PromqlFault(`parse error: expected type instant vector in ${what}, got ${value.kind}`);
}

export function numbersOf(value: Value, what: string): number[] {
  if (value.kind === 'scalar') return value.values;
  throw new PromqlFault(`parse error: expected type scalar in ${what}, got ${value.kind}`);
}

export function textOf(value: Value, what: string): string {
  if (value.kind === 'string') return value.text;
  throw new PromqlFault(`parse error: expected type string in ${what}, got ${value.kind}`);
}
