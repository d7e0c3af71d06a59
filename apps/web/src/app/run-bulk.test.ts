import { bulk } from '@albedo/contract/http/bulk';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { chooseLanguage, loadAllTexts, startTranslation } from './i18n.ts';
import { runBulk } from './run-bulk.ts';

beforeAll(async () => {
  await startTranslation();
  await loadAllTexts();
});
afterEach(() => chooseLanguage('en'));

const items = Array.from({ length: 300 }, (_, i) => ({ _id: crypto.randomUUID(), name: `token ${i}` }));
const nameOf = ({ name }: { name: string }) => name;
const gone = (id: string) => ({
  id,
  code: 404,
  error: 'api_token.not_found',
  message: 'This API token does not exist or was revoked already.',
});

test('300 are done in six calls, each as large as the server takes it, one after the other', async () => {
  const calls: string[][] = [];
  let open = 0;
  await runBulk(items, nameOf, async (ids) => {
    expect(++open).toBe(1);
    calls.push(bulk.parse({ ids }).ids);
    await Promise.resolve();
    open--;
    return { failed: [] };
  });
  expect(calls).toHaveLength(6);
  expect(calls.flat()).toEqual(items.map(({ _id }) => _id));
});

test('one that fails does not hold the others up, and is named in the end, in the language of the user', async () => {
  await chooseLanguage('de');
  const done: string[] = [];
  const bad: string[] = [items[60], items[200]].map((item) => item?._id ?? '');
  const all = runBulk(items, nameOf, async (ids) => {
    done.push(...ids.filter((id) => !bad.includes(id)));
    return { failed: ids.filter((id) => bad.includes(id)).map(gone) };
  });
  await expect(all).rejects.toThrow(/^2 von 300 sind fehlgeschlagen\. token 60: (?!This)/);
  expect(done).toHaveLength(298);
});

test('a call that fails as a whole is the last one, and those that were not asked for count as failed', async () => {
  let calls = 0;
  const all = runBulk(items, nameOf, async () => {
    if (++calls === 3) throw new Error('Too many requests.');
    return { failed: [] };
  });
  await expect(all).rejects.toThrow('200 of 300 failed. token 100: Too many requests.');
  expect(calls).toBe(3);
});

test('where all succeed there is nothing to tell', async () => {
  await expect(runBulk(items.slice(0, 1), nameOf, async () => ({ failed: [] }))).resolves.toBeUndefined();
});
