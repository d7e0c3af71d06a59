import { SITE_ZONE } from '@albedo/contract/csv/csv.names';
import { type CsvStyle, csvStyle } from '@albedo/contract/csv/csv-style.schema';
import { z } from 'zod';
import { userZone } from '../time-range/time-zone.ts';
import { localeTag } from '../units/locale.ts';

/** A zone by where it comes from, so that the choice fits the next file too. */
const zone = z.enum(['site', 'own', 'utc']);
export type ZoneChoice = z.infer<typeof zone>;

const choice = z.object({
  preset: z.enum(['excel', 'iso', 'own']),
  delimiter: csvStyle.shape.delimiter,
  decimal: csvStyle.shape.decimal,
  bom: csvStyle.shape.bom,
  times: csvStyle.shape.times,
  zone: zone.default('site'),
  names: csvStyle.shape.names,
});
/** How somebody wants their files, kept in the browser. */
export type CsvChoice = z.infer<typeof choice>;
export type CsvPreset = CsvChoice['preset'];

/** The sign before the decimals in the user's language. */
const ownDecimal = (): '.' | ',' =>
  new Intl.NumberFormat(localeTag()).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value === ','
    ? ','
    : '.';

/**
 * `excel` is what a double click on the file opens in the user's language: there a decimal comma goes with semicolons. `iso` is what
 * programs read.
 */
export function presetOf(preset: 'excel' | 'iso'): CsvChoice {
  const decimal = preset === 'excel' ? ownDecimal() : '.';
  return {
    preset,
    decimal,
    delimiter: decimal === ',' ? ';' : ',',
    bom: preset === 'excel',
    times: preset === 'excel' ? 'clock' : 'iso',
    zone: 'site',
    names: true,
  };
}

/** A change of a preset is somebody's own; a decimal sign cannot part columns as well. */
export function changed(old: CsvChoice, part: Partial<CsvChoice>): CsvChoice {
  const next: CsvChoice = { ...old, preset: 'own', ...part };
  if (next.delimiter !== next.decimal) return next;
  return part.decimal ? { ...next, delimiter: ';' } : { ...next, decimal: '.' };
}

const KEY = 'albedo.csv';

export function keptChoice(): CsvChoice {
  try {
    const kept = choice.parse(JSON.parse(localStorage.getItem(KEY) ?? ''));
    // The language may be another one since.
    return kept.preset === 'own' ? kept : { ...presetOf(kept.preset), zone: kept.zone, names: kept.names };
  } catch {
    return presetOf('excel');
  }
}

export function keepChoice(kept: CsvChoice): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing asks again.
  }
}

/** `site` is the zone of the screen; without one it is left to the server, which knows that of each device. */
export function styleOf({ preset: _preset, zone, ...style }: CsvChoice, site: string | null): CsvStyle {
  const timezone = zone === 'utc' ? 'UTC' : zone === 'own' ? userZone() : (site ?? SITE_ZONE);
  return { ...style, timezone, units: true };
}
