/** Keeps what this release leaves on disks, for the tests that later code has to open it. `node scripts/keep-release.ts` */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { createLog } from '../apps/agent/src/log.ts';
import { Outbox } from '../apps/agent/src/outbox/outbox.ts';
import { keepDataFolder } from '../apps/cloud/src/testing/released-folder.ts';

const ROOT = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const folder = mkdtempSync(join(tmpdir(), 'albedo-release-'));
try {
  keepOutbox(join(folder, 'outbox'), join(ROOT, `apps/agent/fixtures/outbox-${version}.db.zst`));
  const name = `data-folder-${version}`;
  const bytes = await keepDataFolder(join(folder, 'data'), name);
  process.stdout.write(`apps/cloud/fixtures/${name}.tar.zst: ${(bytes / 1e6).toFixed(2)} MB\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** An agent's outbox with two events and how far a file was read. */
function keepOutbox(directory: string, file: string): void {
  const outbox = new Outbox({ directory, limitBytes: 1e9, limitAgeMs: 1e12, log: createLog('error') });
  outbox.start();
  const shape = {
    table: 'inverters',
    source: 'inv-01',
    fields: [
      { name: 'power', type: 'decimal' as const, units: 'W' },
      { name: 'mode', type: 'keyword' as const },
    ],
  };
  outbox.append({
    captures: [
      {
        shape,
        rows: [
          { eventAt: 1000, values: [1.5, 'läuft'] },
          { eventAt: 2000, values: [2.5, null] },
        ],
      },
    ],
    position: { key: 'a.csv', value: { inode: 7, offset: 42, tail: 'MQ==', header: 'a,b', skipping: false } },
  });
  outbox.flush();
  outbox.stop();
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, zstdCompressSync(readFileSync(join(directory, 'outbox.db'))));
}
