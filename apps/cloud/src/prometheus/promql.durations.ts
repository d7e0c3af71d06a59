const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};

/** Milliseconds of a duration such as `1h30m`; null where the text is none. */
export function durationMs(text: string): number | null {
  if (!/^(?:\d+(?:ms|[smhdwy]))+$/.test(text)) return null;
  let ms = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|[smhdwy])/g))
    ms += Number(count) * (UNIT_MS[unit as string] as number);
  return ms;
}
