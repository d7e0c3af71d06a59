import type { FieldType } from '@albedo/contract/telemetry/telemetry.schema';
import type { RE2JS } from 're2js';
import { wholePattern } from './promql.functions.ts';
import type { Matcher } from './promql.parse.ts';
import type { Labels } from './promql.values.ts';

/** One field of one source of one device, as Prometheus knows a series. */
export interface PromStream {
  device: string;
  table: string;
  source: string;
  field: string;
  labels: Labels;
}

/** The name of a field in the letters that PromQL has for names: `AC Power` is `AC_Power`. */
export const metricName = (field: string): string => {
  const name = field.replaceAll(/[^a-zA-Z0-9_:]/g, '_');
  return /^[a-zA-Z_:]/.test(name) ? name : `_${name}`;
};

export const LABEL_NAMES = ['__name__', 'device', 'device_name', 'field', 'source', 'table'] as const;

export function labelsOf(of: Omit<PromStream, 'labels'>, deviceName: string): Labels {
  const { device, table, source, field } = of;
  return { __name__: metricName(field), device, device_name: deviceName, field, source, table };
}

/** Numbers that are no instants. */
export const isMeasured = (type: FieldType): boolean => type !== 'date' && type !== 'keyword';

type Passes = (labels: Labels) => boolean;

/** Whether labels are what all matchers ask for; those that are not known (`only`) count as fitting. */
export function passing(matchers: readonly Matcher[], only: readonly string[] = LABEL_NAMES): Passes {
  const known = new Set<string>(LABEL_NAMES);
  const tests = matchers
    .filter(({ label }) => only.includes(label) || !known.has(label))
    .map((matcher) => ({ label: matcher.label, passes: testOf(matcher) }));
  return (labels) => tests.every(({ label, passes }) => passes(labels[label] ?? ''));
}

function testOf({ label, operator, value }: Matcher): (text: string) => boolean {
  if (operator === '=' || operator === '!=') {
    // `{"AC Power"}` means the field, in whichever letters.
    const wanted = label === '__name__' ? metricName(value) : value;
    const isWanted = operator === '=';
    return (text) => (text === (value === '' ? '' : wanted)) === isWanted;
  }
  const pattern: RE2JS = wholePattern(value);
  const isWanted = operator === '=~';
  return (text) => pattern.matches(text) === isWanted;
}
