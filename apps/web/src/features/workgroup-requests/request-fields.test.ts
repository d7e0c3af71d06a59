import { expect, test } from 'vitest';
import { countriesIn } from './countries.ts';
import { NO_FIELDS, typedRequest, withoutScheme } from './request-fields.ts';

const austria = { code: 'AT', name: 'Österreich', dialCode: '+43' };
const schema = typedRequest([austria]);
/** The first sentence of each field. */
function faultsIn(typed: Partial<typeof NO_FIELDS>): Record<string, string> {
  const issues = schema.safeParse({ ...NO_FIELDS, ...typed }).error?.issues ?? [];
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [path[0], message]));
}

test.each([
  ['email', 'zoe@example.org', undefined],
  ['email', 'zoe', 'Invalid email'],
  ['email', 'zoe@example', 'Invalid email'],
  ['email', 'zoe @example.org', 'Invalid email'],
  ['website', 'example.org', undefined],
  ['website', 'example', 'Invalid URL'],
  ['website', 'my example.org', 'Invalid URL'],
  ['company', '  ', 'Required'],
  ['countryCode', 'AT', undefined],
  ['countryCode', 'AQ', 'Required'],
] as const)('%s "%s" is judged %s', (field, value, fault) => {
  expect(faultsIn({ [field]: value })[field]).toBe(fault);
});

test('every field is required', () => {
  expect(faultsIn({})).toEqual(Object.fromEntries(Object.keys(NO_FIELDS).map((name) => [name, 'Required'])));
});

test('what is sent has the name of the country, and its dial code before the phone', () => {
  const texts = { name: 'Ann', title: 'Dr', company: 'Sun', website: 'sun.example', description: 'Plants' };
  const typed = { ...texts, email: 'Ann@sun.example', countryCode: 'AT', phone: ' 30 1234' };
  const sent = { ...typed, email: 'ann@sun.example', country: 'Österreich', phone: '+43 30 1234' };
  expect(schema.parse(typed)).toEqual(sent);
});

test('a pasted address loses its scheme', () => {
  expect(withoutScheme(' https://example.org/a')).toBe('example.org/a');
  expect(withoutScheme('example.org')).toBe('example.org');
});

test('countries have names in the language and their dial codes', () => {
  const german = countriesIn('de');
  expect(german.length).toBeGreaterThan(235);
  expect(german.find(({ code }) => code === 'AT')).toEqual({
    code: 'AT',
    name: 'Österreich',
    dialCode: '+43',
  });
  expect(countriesIn('es').find(({ code }) => code === 'DE')?.name).toBe('Alemania');
});
