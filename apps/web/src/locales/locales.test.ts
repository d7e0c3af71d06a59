import { errorCatalog } from '@albedo/contract/failures/errors';
import { issueCatalog } from '@albedo/contract/failures/issues';
import { LANGUAGES } from '@albedo/contract/settings/settings.schema';
import { describe, expect, test } from 'vitest';
import { NAMELESS_FAILURES } from '../app/call.ts';
import { LANGUAGE_NAMES } from '../app/language.ts';
import { featuresWithTexts, readFailures, readFailuresOf, readTexts } from './test-texts.ts';

/** What fields are called where the server's name of them would stand. */
const FIELD = 'errors.field.';
const PLURAL = /_(zero|one|two|few|many|other)$/;

/** What each feature declares that can fail. */
const declared = import.meta.glob<object[]>('../../../../packages/contract/src/*/*.errors.ts', {
  eager: true,
});

/** Texts by their whole keys. */
function flat(name: string, file: object): Map<string, string> {
  const texts = new Map<string, string>();
  const collect = (value: unknown, key: string) => {
    if (typeof value === 'string') texts.set(key, value);
    else for (const [part, inner] of Object.entries(value as object)) collect(inner, `${key}.${part}`);
  };
  collect(file, name);
  return texts;
}

const allOf = (language: string) =>
  new Map([...readTexts(language)].flatMap(([name, file]) => [...flat(name, file)]));
const failuresIn = (language: string) => flat('errors', readFailures(language));
const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name))].toSorted();
const english = allOf('en');
const plain = (key: string) => key.replace(PLURAL, '');
const pluralKeys = [...english.keys()].filter((key) => /_other$/.test(key)).map(plain);

test('the languages that can be chosen are those that the server knows', () => {
  expect(Object.keys(LANGUAGE_NAMES)).toEqual([...LANGUAGES]);
});

test('in English the server says what failed', () => {
  expect(featuresWithTexts().filter((one) => Object.keys(readFailuresOf(one, 'en')).length > 0)).toEqual([]);
});

describe.each(LANGUAGES)('the texts in %s', (language) => {
  const texts = allOf(language);

  test('have the same keys as the English ones', () => {
    const keysOf = (all: Map<string, string>) => [...new Set([...all.keys()].map(plain))].toSorted();
    expect(keysOf(texts)).toEqual(keysOf(english));
  });

  test('have every plural form that the language needs, and no other', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    const wanted = pluralKeys.flatMap((key) => pluralCategories.map((form) => `${key}_${form}`));
    // A sentence for none at all is possible in every language.
    const found = [...texts.keys()].filter(
      (key) => PLURAL.test(key) && pluralKeys.includes(plain(key)) && !key.endsWith('_zero'),
    );
    expect(found.toSorted()).toEqual(wanted.toSorted());
  });

  test('have the placeholders of the English ones', () => {
    const differing = [...texts].filter(([key, text]) => {
      const original = english.get(key) ?? english.get(`${plain(key)}_other`) ?? '';
      return placeholders(text).join() !== placeholders(original).join();
    });
    expect(differing).toEqual([]);
  });

  test('are never empty', () => {
    expect([...texts].filter(([, text]) => text.trim() === '')).toEqual([]);
  });
});

describe.each(LANGUAGES.filter((language) => language !== 'en'))('the failures in %s', (language) => {
  const texts = failuresIn(language);

  test('are all of the catalogue, with its facts', () => {
    const known = [errorCatalog, issueCatalog].flatMap(Object.keys).concat(Object.values(NAMELESS_FAILURES));
    const named = [...texts.keys()].filter((key) => !key.startsWith(FIELD));
    expect(named.toSorted()).toEqual([...new Set(known)].map((name) => `errors.${name}`).toSorted());
    const sentences = [
      ...Object.entries(errorCatalog).map(([name, { text }]) => [name, text] as const),
      ...Object.entries(issueCatalog),
    ];
    const differing = sentences.filter(([name, text]) => {
      const facts = [...text.matchAll(/\{(\w+)\}/g)].map(([, fact]) => fact).toSorted();
      return placeholders(texts.get(`errors.${name}`) ?? '').join() !== facts.join();
    });
    expect(differing).toEqual([]);
    expect([...texts.values()].filter((text) => text.trim() === '')).toEqual([]);
  });

  test.each(Object.entries(declared))('stand with their feature: %s', (path, catalogs) => {
    const [, feature = ''] = /([\w-]+)\.errors\.ts$/.exec(path) ?? [];
    const found = [...flat('errors', readFailuresOf(feature, language)).keys()];
    const names = Object.values(catalogs).flatMap(Object.keys);
    expect(found.filter((key) => !key.startsWith(FIELD)).toSorted()).toEqual(
      names.map((name) => `errors.${name}`).toSorted(),
    );
  });

  test('have the names of the same fields', () => {
    const fieldsOf = (of: Map<string, string>) => [...of.keys()].filter((key) => key.startsWith(FIELD));
    expect(fieldsOf(texts).toSorted()).toEqual(fieldsOf(failuresIn('de')).toSorted());
  });
});
