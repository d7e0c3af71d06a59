import type { Language } from '@albedo/contract/settings/settings.schema';

/** The languages to choose from, each called as its speakers call it. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', es: 'Español' };

export const LANGUAGE_KEY = 'albedo.language';

/** The language that was chosen in this browser, else the browser's, else English. */
export const wantedLanguage = (): Language =>
  knownLanguage(localStorage.getItem(LANGUAGE_KEY)) ?? browserLanguage();

/** The first of the browser's languages that the app speaks. */
export function browserLanguage(): Language {
  const spoken = navigator.languages.map((tag) => knownLanguage(tag.split('-')[0] ?? ''));
  return spoken.find((one) => one !== null) ?? 'en';
}

export function knownLanguage(language: string | null | undefined): Language | null {
  return language && Object.hasOwn(LANGUAGE_NAMES, language) ? (language as Language) : null;
}
