/** A name that stands for another machine each time it is asked for, as its owner pleases. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OutsideFetch } from './outside-fetch.ts';

let told: string[] = [];
const lookup = (
  _name: string,
  _options: object,
  callback: (error: null, found: { address: string; family: 4 }[]) => void,
) =>
  callback(
    null,
    told.map((address) => ({ address, family: 4 })),
  );

const [OPEN, CLOSED] = ['127.0.0.1', '127.0.0.2'];
let asked = 0;
const server = createServer((_, reply) => {
  asked++;
  // The next question looks the name up again.
  reply.writeHead(200, { connection: 'close' }).end('hello');
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, OPEN, resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
});

test('the address that was checked is the one that is connected to, however often a name changes its mind', async () => {
  const gate = new OutsideFetch({
    publicUrl: () => 'https://203.0.113.1',
    networks: [`${OPEN}/32`],
    lookup,
  });
  const read = () => gate.text(`http://moves.example.org:${port}/`);
  told = [OPEN];
  expect(await read()).toBe('hello');
  told = [CLOSED];
  await expect(read()).rejects.toThrow('moves.example.org is not a public address');
  told = [CLOSED, OPEN];
  expect(await read()).toBe('hello');
  expect(asked).toBe(2);
  await gate.stop();
});
