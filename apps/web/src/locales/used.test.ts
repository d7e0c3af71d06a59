import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTexts } from './test-texts.ts';

const PLURAL = /_(zero|one|two|few|many|other)$/;
const here = import.meta.dirname;
const code = ['../..', '../../../../packages/contract'].flatMap((folder) =>
  filesIn(join(here, folder, 'src')),
);

/** The whole text of every program file, tests excepted. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

/** All English keys; those of the failures are names of the catalogue, which have a test of their own. */
function keys(): string[] {
  const found: string[] = [];
  const collect = (value: unknown, key: string): void => {
    if (typeof value === 'string') found.push(key.replace(PLURAL, ''));
    else
      for (const [part, inner] of Object.entries(value as object))
        collect(inner, key ? `${key}.${part}` : part);
  };
  for (const [name, texts] of readTexts('en')) collect(texts, name === 'public' ? '' : name);
  return [...new Set(found)];
}

/** The text as a pattern of itself. */
const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

test('every text is one that the app shows', () => {
  const whole = new Set(
    code.flatMap((file) => [...file.matchAll(/(['"])([\w-]+(?:\.[\w -]+)+)\1/g)].map(([, , key]) => key)),
  );
  const composed = code
    .flatMap((file) => [...file.matchAll(/`([\w-]+\.[^`\s]*?\$\{[^`]*)`/g)].map(([, key = '']) => key))
    .map(
      (key) =>
        new RegExp(
          `^${key
            .split(/\$\{[^}]*\}/)
            .map(literally)
            .join('.+')}$`,
        ),
    );
  const unused = keys().filter((key) => !whole.has(key) && !composed.some((form) => form.test(key)));
  expect(unused).toEqual([]);
});

test('every text that the code asks for exists', () => {
  const known = new Set(keys());
  const asked = code.flatMap((file) =>
    [...file.matchAll(/\bt\(\s*'([\w-]+(?:\.[\w-]+)+)'/g)].map(([, key = '']) => key),
  );
  expect([...new Set(asked)].filter((key) => !known.has(key))).toEqual([]);
});
