import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { generate } from 'mqtt-packet';
import { expect, test } from 'vitest';
import { limitPackets } from './packet-limit.ts';

const LIMIT = 20_000;
const packetOf = (bytes: number) =>
  generate({
    ...{ cmd: 'publish', topic: 'a', qos: 0, dup: false, retain: false },
    payload: Buffer.alloc(bytes, 0xff),
  });

/** What comes through of bytes that arrive in such pieces, and why it ended. */
async function through(
  bytes: Buffer,
  cuts: readonly number[],
): Promise<{ read: number; ended: string | null }> {
  const stream = new PassThrough();
  limitPackets(stream as never, LIMIT);
  let ended: string | null = null;
  stream.on('error', (error) => {
    ended = error.message;
  });
  let read = 0;
  const places = [...new Set([0, ...cuts.map((cut) => cut % bytes.length), bytes.length])].sort(
    (a, b) => a - b,
  );
  for (const [i, from] of places.entries()) {
    const part = bytes.subarray(from, places[i + 1] ?? from);
    if (part.length > 0 && !stream.destroyed) stream.write(part);
    read += (stream.read() as Buffer | null)?.length ?? 0;
  }
  await new Promise((done) => setImmediate(done));
  return { read, ended };
}

const cutAnywhere = fc.array(fc.nat(), { maxLength: 12 });
const length = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 16_000, max: LIMIT - 10 }));

test('packets of any length up to the limit come through whole, however they arrive', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(length, { minLength: 1, maxLength: 5 }), cutAnywhere, async (lengths, cuts) => {
      const bytes = Buffer.concat(lengths.map(packetOf));
      expect(await through(bytes, cuts)).toEqual({ read: bytes.length, ended: null });
    }),
    { numRuns: 200 },
  );
});

test('a packet beyond the limit ends the connection before it has come', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(length, { maxLength: 3 }), cutAnywhere, async (lengths, cuts) => {
      const before = Buffer.concat(lengths.map(packetOf));
      const head = packetOf(LIMIT + 1).subarray(0, 4);
      const { read, ended } = await through(Buffer.concat([before, head]), cuts);
      expect(ended).toBe('packet too large');
      expect(read).toBeLessThan(before.length + head.length);
    }),
    { numRuns: 200 },
  );
});
