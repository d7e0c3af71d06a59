import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { WorkgroupAdminStore } from './workgroup-admin.store.ts';
import { exportOf } from './workgroup-export.ts';

test('an export that is broken off in the middle of a file ends, and nothing else', async () => {
  const uncaught: Error[] = [];
  const note = (error: Error) => uncaught.push(error);
  process.prependListener('uncaughtException', note);
  onTestFinished(() => void process.off('uncaughtException', note));
  async function* records() {
    // Random, so that it does not shrink to what the streams hold.
    for (let page = 0; page < 100; page++)
      yield { table: 't', page, rows: Array.from({ length: 50_000 }, () => ({ n: Math.random() })) };
  }
  const store = { records } as unknown as WorkgroupAdminStore;
  const out = exportOf('demo', { store, parts: [], progress: () => {} });
  await once(out, 'readable');
  out.destroy();
  await sleep(200);
  expect(uncaught).toEqual([]);
});
