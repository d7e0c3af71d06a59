import { isTimeZone } from './zoned-time.ts';

/** How metadata call the zone of a place. `zone` alone may as well be a part of it, so it is one only with its slash. */
const ZONE_NAME = /^time[ _-]?zone$/i;
const isZoneFact = (name: string, text: string): boolean =>
  ZONE_NAME.test(name) || (name.toLowerCase() === 'zone' && text.includes('/'));

export interface UnknownZone {
  /** Where it stands: the name of the fact, and of one with dates its place in the list. */
  path: string;
  zone: string;
}

/**
 * Zones in metadata that no clock knows, such as `Mars/Phobos`: days would be cut by UTC without a word. What says nothing,
 * or is read from elsewhere, is none.
 */
export function unknownZones(facts: Readonly<Record<string, unknown>>): UnknownZone[] {
  return Object.entries(facts).flatMap(([name, fact]) => {
    const texts = Array.isArray(fact)
      ? fact.map((one, at) => [`${name}.${at}.value`, (one as { value?: unknown } | null)?.value] as const)
      : [[name, fact] as const];
    return texts.flatMap(([path, text]) => {
      if (typeof text !== 'string' || text.trim() === '') return [];
      const zone = text.trim();
      return isZoneFact(name, zone) && !isTimeZone(zone) ? [{ path, zone }] : [];
    });
  });
}

/** The first that was not there before. */
export function newUnknownZone(
  facts: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>> = {},
): UnknownZone | undefined {
  const known = new Set(unknownZones(before).map(({ zone }) => zone));
  return unknownZones(facts).find(({ zone }) => !known.has(zone));
}
