const UNIT_S = { d: 86_400, h: 3600, m: 60, s: 1 } as const;

/**
 * How long a cookie stays, in seconds, from what an operator writes: days as a number, or text such as `180d`, `12h` and
 * `1d 12h`. Null for anything else, and for no time at all. Source: specification 1, section 9.
 */
export function cookieLifeS(text: string): number | null {
  const life = text.trim().toLowerCase();
  if (/^\d{1,5}$/.test(life)) return Number(life) * UNIT_S.d || null;
  if (!/^(?:\d{1,7}[dhms]\s*)+$/.test(life)) return null;
  const parts = [...life.matchAll(/(\d+)([dhms])/g)];
  const units = parts.map(([, , unit]) => unit);
  if (new Set(units).size !== units.length) return null;
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_S[unit as 'd'], 0) || null;
}
