import { InputError } from '../command-line/input-error.ts';

/** How far a zone is east of UTC in a year, minutes. Equal where it has no summer time. */
export interface ZoneOffsets {
  standardMinutes: number;
  summerMinutes: number;
}

const MINUTE_MS = 60_000;

/** A zone of the IANA database, `local` for that of this machine, or `utc`. Throws `InputError` for any other name. */
export function zoneOf(name: string, argument: string): string {
  const zone =
    name.toLowerCase() === 'local'
      ? Intl.DateTimeFormat().resolvedOptions().timeZone
      : name.toLowerCase() === 'utc'
        ? 'UTC'
        : name;
  try {
    return formatterOf(zone).resolvedOptions().timeZone;
  } catch {
    throw new InputError(
      `${argument}: "${name.slice(0, 100)}" is neither utc, local nor a zone such as Europe/Berlin`,
    );
  }
}

/** Minutes that a zone is east of UTC at an instant. */
export function zoneOffset(zone: string, at: number): number {
  const text =
    formatterOf(zone)
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d+):(\d+))?/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Summer time is whichever of January and July is further east, so that both hemispheres are right. */
export function zoneOffsets(zone: string, year: number): ZoneOffsets {
  const [january, july] = [0, 6].map((month) => zoneOffset(zone, Date.UTC(year, month, 1)));
  const both = [january ?? 0, july ?? 0];
  return { standardMinutes: Math.min(...both), summerMinutes: Math.max(...both) };
}

/**
 * When a clock of a zone showed a time, epoch ms.
 *
 * `shown` is that time as if it were UTC. What the clock says of summer time: true counts; false only decides between the
 * two hours of the same name in autumn, since many clocks never say true.
 */
export function instantIn(zone: string, shown: number, isSummer: boolean): number {
  const { standardMinutes, summerMinutes } = zoneOffsets(zone, new Date(shown).getUTCFullYear());
  const [standard, summer] = [shown - standardMinutes * MINUTE_MS, shown - summerMinutes * MINUTE_MS];
  if (isSummer) return summer;
  const isStandard = zoneOffset(zone, standard) === standardMinutes;
  return !isStandard && zoneOffset(zone, summer) === summerMinutes ? summer : standard;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formatters.set(zone, made);
  return made;
}
