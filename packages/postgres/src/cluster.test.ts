import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeCluster, makeTemplate, openCluster } from './cluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'albedo-cluster-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function write(cluster: string): Promise<unknown[]> {
  const { client } = await openCluster(cluster);
  await client.exec('CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)');
  const { rows } = await client.query('SELECT n FROM kept');
  await client.close();
  return rows;
}

test('a cluster is copied from the template, which stays empty and serves the next one', async () => {
  const template = join(folder, 'template');
  expect(await makeTemplate(template)).toBe(true);
  expect(await makeTemplate(template)).toBe(false);
  // What a killed start left behind is no cluster.
  mkdirSync(join(folder, 'one.new'));
  for (const name of ['one', 'two']) {
    await makeCluster(join(folder, name), template);
    expect(await write(join(folder, name))).toEqual([{ n: 7 }]);
  }
  expect(readdirSync(folder).sort()).toEqual(['one', 'template', 'two']);
});

test('without a template the cluster is made by initdb', async () => {
  await makeCluster(join(folder, 'three'), join(folder, 'missing'));
  expect(existsSync(join(folder, 'three.new'))).toBe(false);
  expect(await write(join(folder, 'three'))).toEqual([{ n: 7 }]);
});
