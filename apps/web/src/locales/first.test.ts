import { LANGUAGES } from '@albedo/contract/settings/settings.schema';
import { expect, test } from 'vitest';
import { readTexts } from './test-texts.ts';

const parts = import.meta.glob<{ texts: object }>(['./??.ts', './??.first.ts'], { eager: true });

function keysOf(texts: object, key = ''): string[] {
  return Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' ? [key + name] : keysOf(value, `${key}${name}.`),
  );
}

test.each(LANGUAGES)('in %s each text comes with the first screens or after them', (language) => {
  const first = keysOf(parts[`./${language}.first.ts`]?.texts ?? {});
  const rest = keysOf(parts[`./${language}.ts`]?.texts ?? {});
  const all = [...readTexts(language)].filter(([name]) => name !== 'public');
  expect([...first, ...rest].toSorted()).toEqual(keysOf(Object.fromEntries(all)).toSorted());
  expect(first).toEqual(
    expect.arrayContaining(['menu.devices', 'boards.title', 'boards.widgets.number', 'devices.title']),
  );
  expect(rest).toEqual(expect.arrayContaining(['workgroupRequests.acceptText']));
});
