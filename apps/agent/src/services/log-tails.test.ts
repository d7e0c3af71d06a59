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
  expect(await logsBelow(root, [join(logs, 'plant')])).toEqual([
    { source: 'plant/inv 1', text: 'time,power\n1,5' },
  ]);
});
