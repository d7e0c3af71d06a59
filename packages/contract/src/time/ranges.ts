import { PRESETS, type PresetName } from './presets.ts';

/** All time as it stands in an address. Source: specification 2, section 2. */
export const ALL_TIME = 'all-time';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const RELATIVE_UNITS = { m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY } as const;
export type RelativeUnit = keyof typeof RELATIVE_UNITS;

export type TimeRange =
  | { kind: 'preset'; preset: PresetName }
  /** The last so many minutes, hours, days (of 24 hours) or weeks. */
  | { kind: 'relative'; amount: number; unit: RelativeUnit }
  | { kind: 'absolute'; from: number; to: number }
  /** Everything that there is. */
  | { kind: 'all' };

/** A range as it stands in an address: `today`, `90m`, `2026-11-01T00:00Z_2026-11-08T00:00Z`. */
export function rangeToText(range: TimeRange): string {
  if (range.kind === 'preset') return range.preset;
  if (range.kind === 'all') return ALL_TIME;
  if (range.kind === 'relative') return `${range.amount}${range.unit}`;
  return `${shortIso(range.from)}_${shortIso(range.to)}`;
}

/** Null where the text is no range. */
export function rangeFromText(text: unknown): TimeRange | null {
  if (typeof text !== 'string') return null;
  if (Object.hasOwn(PRESETS, text)) return { kind: 'preset', preset: text as PresetName };
  const relative = /^([1-9]\d{0,4})([mhdw])$/.exec(text);
  if (relative) return { kind: 'relative', amount: Number(relative[1]), unit: relative[2] as RelativeUnit };
  const [from = Number.NaN, to = Number.NaN, ...rest] = text.split('_').map((part) => Date.parse(part));
  return rest.length === 0 && from < to ? { kind: 'absolute', from, to } : null;
}

function shortIso(at: number): string {
  return new Date(at).toISOString().replace(/(:00)?\.000Z$/, 'Z');
}
