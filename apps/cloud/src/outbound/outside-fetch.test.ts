import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OutsideFetch } from './outside-fetch.ts';

let asked = 0;
const server = createServer((request, reply) => {
  asked++;
  if (request.url === '/elsewhere') reply.writeHead(302, { location: '/' }).end();
  else if (request.url === '/large') reply.end('x'.repeat(5000));
  else if (request.url === '/slow') return;
  else reply.end('hello');
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ofServer = (publicUrl: string) =>
  new OutsideFetch({ publicUrl: () => publicUrl, maxBytes: 2000, timeoutMs: 2000 });

test.each([
  'http://127.0.0.1:PORT/',
  'https://127.0.0.1:PORT/',
  'https://localhost:PORT/',
  'https://[::1]:PORT/',
  'https://[::ffff:127.0.0.1]:PORT/',
  'https://2130706433:PORT/',
  'https://10.0.0.1/',
  'https://192.168.1.1/',
  'https://[fd00::1]/',
  'https://[::7f00:1]:PORT/',
  'https://[64:ff9b::7f00:1]:PORT/',
  'https://[2002:7f00:1::]:PORT/',
  'https://[::ffff:0:7f00:1]:PORT/',
  'https://[::ffff:169.254.169.254]/',
  'https://168.63.129.16/',
  'https://0x7f.1:PORT/',
  'https://127.0.0.1.:PORT/',
  'https://169.254.169.254/latest/meta-data',
  'http://example.org/',
  'file:///etc/passwd',
  'https://somebody:secret@example.org/',
])('a server in the internet does not read %s', async (address) => {
  const before = asked;
  const reading = ofServer('https://203.0.113.1').text(address.replace('PORT', String(port)));
  await expect(reading).rejects.toThrow(/not a public address|must begin with https|password in it/);
  expect(asked).toBe(before);
});

test('a server on this machine reads its own addresses, without redirects and within limits', async () => {
  const outside = ofServer(`http://127.0.0.1:${port}`);
  const base = `http://localhost:${port}`;
  expect(await outside.text(`${base}/`)).toBe('hello');
  await expect(outside.text(`${base}/elsewhere`)).rejects.toThrow('it leads to another address');
  await expect(outside.text(`${base}/large`)).rejects.toThrow('too large');
  await expect(outside.text(`${base}/slow`)).rejects.toThrow('did not answer in time');
  await expect(outside.text('https://169.254.169.254/')).rejects.toThrow('not a public address');
  await outside.stop();
});

test('a server whose own name is one of /etc/hosts for this machine is no server of this machine', async () => {
  const outside = ofServer(`https://${hostname()}`);
  const reading = outside.text(`http://127.0.0.1:${port}/`);
  await expect(reading).rejects.toThrow(/not a public address|must begin with https/);
  await outside.stop();
});

test.each([
  ['http://10.0.0.1/', /must begin with https/],
  ['http://example.org/', /must begin with https/],
  ['https://192.168.1.1/', /not a public address/],
  ['https://localhost/', /not a public address/],
  ['https://example.org:22/', /port 22/],
  ['https://169.254.169.254/', /not a public address/],
  ['ftp://example.org/', /must begin with https/],
])('without networks of its own %s is not read, wherever the server stands', async (address, why) => {
  const gate = new OutsideFetch({ publicUrl: () => 'http://localhost:8080', networks: [], timeoutMs: 2000 });
  await expect(gate.text(address)).rejects.toThrow(why);
  await gate.stop();
});

test('machines of networks that the operator names are read, and no others', async () => {
  const networks = ['127.0.0.0/8', '169.254.0.0/16', '100.64.0.0/10', '192.0.0.0/24', 'fd00::/8'];
  const gate = new OutsideFetch({ publicUrl: () => 'https://203.0.113.1', networks, timeoutMs: 2000 });
  expect(await gate.text(`http://127.0.0.1:${port}/`)).toBe('hello');
  await expect(gate.text(`http://127.0.0.1:${port}/elsewhere`)).rejects.toThrow('leads to another address');
  await expect(gate.text('http://10.0.0.1/')).rejects.toThrow('not a public address');
  for (const metadata of ['169.254.169.254', '100.100.100.200', '192.0.0.192', '[fd00:ec2::254]'])
    await expect(gate.text(`http://${metadata}/`)).rejects.toThrow('not a public address');
  await gate.stop();
});

test('where the operator names the machines that may be asked, no others are', async () => {
  const hosts = ['127.0.0.1', '*.example.org'];
  const gate = new OutsideFetch({ publicUrl: () => 'http://localhost:8080', hosts, timeoutMs: 2000 });
  expect(await gate.text(`http://127.0.0.1:${port}/`)).toBe('hello');
  for (const address of ['https://example.net/', 'https://example.org/', 'https://notexample.org/'])
    await expect(gate.text(address)).rejects.toThrow('is not among the machines that this server may ask');
  await expect(gate.text('https://none.example.org/')).rejects.toThrow(
    /no machine named|could not be reached/,
  );
  const mqtt = new URL('mqtts://broker.example.net');
  await expect(gate.lookupOf(mqtt)).rejects.toThrow('is not among the machines');
  await gate.stop();
});
