/** Where people want their times: a zone's name, `utc`, `local` or nothing for the browser's. */
interface ZonePreference {
  timeZone: string;
  /** `collected`: what a device sent stands in the device's own zone. */
  mode: 'selected' | 'collected';
}

let tag = navigator.language;
let zone: ZonePreference = { timeZone: '', mode: 'collected' };

/** From now on numbers, dates and orders are those of the language, in the browser's region where it speaks it too. */
export function setLocale(language: string): void {
  tag = navigator.languages.find((one) => one.split('-')[0] === language) ?? language;
}

/** How the user's language and region are called, such as `de-AT`. */
export const localeTag = (): string => tag;

export function setZonePreference(preference: ZonePreference): void {
  zone = preference;
}

export const zonePreference = (): ZonePreference => zone;

/** Something that is made once for a language, and again when the user chooses another one. */
export function perLocale<T>(make: (tag: string) => T): () => T {
  let made: { tag: string; value: T } | null = null;
  return () => {
    if (made?.tag !== tag) made = { tag, value: make(tag) };
    return made.value;
  };
}

/** Compares names as the user's language orders them, and numbers in them by their value. */
export const collator = perLocale(
  (locale) => new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }),
);

/** The day that weeks begin with in calendars, 0 is Sunday. */
export const firstDayOfWeek = perLocale((locale): WeekDay => {
  const { getWeekInfo } = Intl.Locale.prototype as { getWeekInfo?: () => { firstDay: number } };
  // Not every browser knows; most of the world begins on Monday.
  const firstDay = getWeekInfo?.call(new Intl.Locale(locale)).firstDay ?? 1;
  return (firstDay % 7) as WeekDay;
});

type WeekDay = 0 | 1 | 2 | 3 | 4 | 5 | 6;
