import { expect, test } from 'vitest';
import { countriesIn } from './countries.ts';
import { NO_FIELDS, problemOf, type RequestFields, withoutScheme } from './request-fields.ts';

test.each([
  ['email', 'zoe@example.org', null],
  ['email', 'zoe', 'email'],
  ['email', 'zoe@example', 'email'],
  ['email', 'zoe @example.org', 'email'],
  ['website', 'example.org', null],
  ['website', 'example', 'url'],
  ['website', 'my example.org', 'url'],
  ['company', '  ', 'required'],
] as const)('%s "%s" is judged %s', (field, value, problem) => {
  expect(problemOf(field, value)).toBe(problem);
});

test('every field is required', () => {
  const names = Object.keys(NO_FIELDS) as (keyof RequestFields)[];
  expect(names.map((name) => problemOf(name, NO_FIELDS[name]))).toEqual(Array(8).fill('required'));
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
