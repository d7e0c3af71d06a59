import { createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { OWNER, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { clamdScanner } from './virus-scan.ts';

/** Answers as the daemon of ClamAV does to INSTREAM, and finds the word EICAR. */
const daemon = createServer((socket: Socket) => {
  let got = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    got = Buffer.concat([got, chunk]);
    const begin = 'zINSTREAM\0'.length;
    const all: Buffer[] = [];
    for (let at = begin; at + 4 <= got.length; ) {
      const length = got.readUInt32BE(at);
      if (length === 0) {
        const isBad = Buffer.concat(all).includes('EICAR');
        socket.end(isBad ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0');
        return;
      }
      all.push(got.subarray(at + 4, at + 4 + length));
      at += 4 + length;
    }
  });
});
let port = 0;
let cloud: TestCloud;
beforeAll(async () => {
  await new Promise<void>((resolve) => daemon.listen(0, '127.0.0.1', resolve));
  port = (daemon.address() as { port: number }).port;
  cloud = await startTestCloud({ ALBEDO_CLAMD: `tcp://127.0.0.1:${port}` });
});
afterAll(async () => {
  await cloud.stop();
  daemon.close();
});

const chunks = (...texts: string[]) => Readable.from(texts.map((text) => Buffer.from(text)));

test('what is found is named, wherever its bytes are parted, and clean files pass', async () => {
  const scan = clamdScanner(`tcp://127.0.0.1:${port}`);
  expect(await scan(chunks('a', 'xEI', 'CARx'))).toBe('Eicar-Signature');
  expect(await scan(chunks('a', 'b'))).toBeNull();
  expect(await scan(chunks())).toBeNull();
  expect(await scan(chunks('x'.repeat(3_000_000), 'EICAR'))).toBe('Eicar-Signature');
});

test('where nobody looks nothing passes', async () => {
  await expect(clamdScanner('tcp://127.0.0.1:1')(chunks('a'))).rejects.toMatchObject({
    error: 'file.not_scanned',
  });
  await expect(clamdScanner('unix:/nowhere/clamd')(chunks('a'))).rejects.toMatchObject({
    error: 'file.not_scanned',
  });
});

test('a scanner stands where the operator says, in a form that is checked', () => {
  expect(readConfig({ ALBEDO_CLAMD: 'unix:/run/clamav/clamd.ctl' }).clamd).toBe('unix:/run/clamav/clamd.ctl');
  expect(() => readConfig({ ALBEDO_CLAMD: 'localhost' })).toThrow(/ALBEDO_CLAMD must be tcp:/);
});

test('an attachment with a virus, or that is not what its name says, is refused by name and does not stay', async () => {
  const token = await cloud.owner();
  const send = (name: string, content: string) => {
    const form = new FormData();
    for (const [field, value] of Object.entries({
      name: 'Zoe',
      email: OWNER.email,
      url: 'http://localhost/devices',
      workgroupId: 'main',
      subject: 'A file',
      body: 'See there.',
    }))
      form.append(field, value);
    form.append('files', new Blob([content]), name);
    return cloud.call('POST', 'support', { token, body: form });
  };
  expect((await send('a.txt', 'EICAR')).body).toMatchObject({ code: 422, error: 'file.infected' });
  expect((await send('a.png', 'a page')).body).toMatchObject({ code: 400, error: 'file.wrong_kind' });
});
