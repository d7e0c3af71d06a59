import { beforeAll, expect, test } from 'vitest';
import { loadAllTexts, startTranslation } from './i18n.ts';
import { runEach } from './run-each.ts';

beforeAll(async () => {
  await startTranslation();
  await loadAllTexts();
});

test('one that fails does not hold the others up, and is named in the end', async () => {
  const done: string[] = [];
  const work = async (name: string) => {
    if (name.startsWith('bad')) throw new Error('not that one');
    done.push(name);
  };
  const all = runEach(['a', 'bad b', 'c', 'bad d'], (name) => name, work);
  await expect(all).rejects.toThrow('2 of 4 failed. bad b: not that one');
  expect(done).toEqual(['a', 'c']);
});

test('where all succeed there is nothing to tell', async () => {
  await expect(runEach(['a'], String, () => Promise.resolve())).resolves.toBeUndefined();
});
