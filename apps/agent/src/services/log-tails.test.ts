import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rootAt } from '../root.ts';
import { logsBelow } from './log-tails.ts';

let prefix: string;

beforeEach(async () => {
  prefix = await mkdtemp(join(tmpdir(), 'albedo-tails-'));
});

afterEach(() => rm(prefix, { recursive: true }));

test('neither lines nor the name of a folder tell a terminal anything', async () => {
  const root = rootAt(prefix);
  const logs = root.at(root.logDirectory);
  const folder = join(logs, 'plant', 'in\u001b[31mv\n1');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'latest.csv'), 'time,power\n1,\u001b[2J5\n');
  expect(await logsBelow(root, [join(logs, 'plant')], 'modbus')).toEqual([
    { source: 'plant/inv 1', text: 'time,power\n1,5' },
  ]);
});

test('of a folder that several plugins write into, each shows its own sources', async () => {
  const root = rootAt(prefix);
  const logs = root.at(root.logDirectory);
  const put = async (source: string, by: string | null) => {
    await mkdir(join(logs, source), { recursive: true });
    await writeFile(join(logs, source, 'latest.csv'), `${source}\n`);
    if (by) await writeFile(join(logs, source, '.written-by'), by);
  };
  await put('solar/inverter', 'sunspec');
  await put('meter/grid', 'modbus');
  await put('meter/heat', 'modbus');
  await put('old/nobody', null);
  const sources = async (plugin: string) =>
    (await logsBelow(root, [logs], plugin)).map(({ source }) => source).sort();
  expect(await sources('modbus')).toEqual(['meter/grid', 'meter/heat']);
  expect(await sources('sunspec')).toEqual(['solar/inverter']);
  expect(await sources('snmp')).toEqual([]);
  // Where nobody leaves a name, there is nobody to tell apart.
  await rm(join(logs, 'solar'), { recursive: true });
  await rm(join(logs, 'meter'), { recursive: true });
  expect(await sources('modbus')).toEqual(['old/nobody']);
});
