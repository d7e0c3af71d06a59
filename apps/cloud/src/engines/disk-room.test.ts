import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { demandRoom } from './disk-room.ts';

test('a disk without room is told with what is left, and one with room is not', async () => {
  await expect(demandRoom(tmpdir(), Number.MAX_SAFE_INTEGER)).rejects.toThrow(/is full: \d+ MB are left/);
  await expect(demandRoom(tmpdir(), 0)).resolves.toBeUndefined();
});
