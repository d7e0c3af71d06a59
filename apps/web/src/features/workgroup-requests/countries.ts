import { type CountryCode, getCountries, getCountryCallingCode } from 'libphonenumber-js/min';

export interface Country {
  /** ISO 3166-1, two letters. */
  code: string;
  /** As people call it in their language. */
  name: string;
  /** With its plus. */
  dialCode: string;
}

/** The countries that have telephone numbers, by name in the language. */
export function countriesIn(language: string): Country[] {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return getCountries()
    .map((code: CountryCode) => ({
      code: code as string,
      name: names.of(code) ?? code,
      dialCode: `+${getCountryCallingCode(code)}`,
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name, language));
}
