import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { read, releasedFolders, signIn, startOn, unpackDataFolder } from './released-folder.ts';

const names = await releasedFolders();

/** Without when a device last sent data: 1.6.96 took the audit log's entries about it for data of its own. */
const comparable = (reads: readonly unknown[]): object[] =>
  JSON.parse(JSON.stringify(reads, (name, value) => (name === 'cloudLastDataAt' ? undefined : value)));

test('there is a data folder of a release', () => {
  expect(names.length).toBeGreaterThan(0);
});

test.each(names)(
  '%s opens, and what was in it is there',
  async (name) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'albedo-released-'));
    try {
      const reads = await unpackDataFolder(name, dataDir);
      const cloud = await startOn(dataDir);
      try {
        const token = await signIn(cloud);
        const now: unknown[] = [];
        for (const { path } of reads) now.push({ path, body: await read(cloud, path, token) });
        expect(comparable(now)).toMatchObject(comparable(reads));
        const tickets = reads.find(({ path }) => path === 'opsteam/tickets')?.body as {
          _id: string;
          files: { _id: string }[];
        }[];
        const [ticket] = tickets;
        const file = await cloud.call(
          'GET',
          `opsteam/tickets/${ticket?._id}/files/${ticket?.files[0]?._id}`,
          { token },
        );
        expect(file.bytes.toString()).toBe('E 303');
      } finally {
        await cloud.stop();
      }
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
  60_000,
);
