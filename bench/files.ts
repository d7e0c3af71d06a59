/**
 * A large file from a device over a link of limited speed, beside the same bytes over a plain TLS connection through the
 * same link, in turns; then once more with the link cut in the middle. `node bench/files.ts [--mb 100] [--mbit 100] [--turns 3]`
 */
import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, connect as openSocket, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { pipeline, Transform } from 'node:stream';
import { createServer as createTlsServer, connect as openTls } from 'node:tls';
import { parseArgs } from 'node:util';
import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { BenchAgent } from './bench-agent.ts';
import { BenchCloud, WORKGROUP } from './bench-cloud.ts';
import { percentile } from './percentile.ts';

const { values: flags } = parseArgs({
  options: {
    mb: { type: 'string', default: '100' },
    mbit: { type: 'string', default: '100' },
    turns: { type: 'string', default: '3' },
  },
});
const bytes = Number(flags.mb) * 1_000_000;
const bytesPerS = (Number(flags.mbit) * 1_000_000) / 8;

/** A link: what comes in at one end leaves at the other, towards the server no faster than its speed. */
class Link {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(to: number) {
    this.#server = createServer({ allowHalfOpen: true }, (near) => {
      const far = openSocket({ port: to, host: '127.0.0.1', allowHalfOpen: true });
      for (const socket of [near, far]) {
        this.#sockets.add(socket.setNoDelay(true));
        socket.on('close', () => this.#sockets.delete(socket));
      }
      // What one end has said still arrives after it has ended.
      const whenBroken = (error: Error | null | undefined) => {
        if (!error) return;
        near.destroy();
        far.destroy();
      };
      pipeline(near, slowly(), far, whenBroken);
      pipeline(far, near, whenBroken);
    });
  }

  async open(): Promise<number> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }
}

function slowly(): Transform {
  let freeAt = 0;
  return new Transform({
    highWaterMark: 256 * 1024,
    transform(chunk: Buffer, _encoding, done) {
      const now = performance.now();
      freeAt = Math.max(freeAt, now - 20) + (chunk.length / bytesPerS) * 1000;
      setTimeout(() => done(null, chunk), Math.max(0, freeAt - now));
    },
  });
}

const bench = await BenchCloud.start();
const link = new Link(bench.cloud.mqttPort ?? 0);
const agent = await BenchAgent.start(bench, { port: await link.open() });
const content = randomBytes(bytes);
const hash = createHash('sha256').update(content).digest('hex');
const path = join(agent.root, 'large.bin');
writeFileSync(path, content);

try {
  await agent.online();
  const [ours, copied]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < Number(flags.turns); turn++) {
    copied.push(await timed(copyPlainly));
    ours.push(await timed(() => fetchFile(new Uint8Array())));
  }
  const rate = (times: number[]) => (bytes / 1e6 / percentile(times, 0.5)).toFixed(1);
  console.log(`plain copy over TLS: ${rate(copied)} MB/s (median of ${copied.length})`);
  console.log(`file of a device:    ${rate(ours)} MB/s (median of ${ours.length})`);
  const share = (100 * percentile(copied, 0.5)) / percentile(ours, 0.5);
  console.log(`the device's file goes at ${share.toFixed(0)} % of the plain copy`);
  let kept = new Uint8Array();
  const tookS = await timed(async () => {
    kept = await fetchFile(kept, bytes / 2);
    await agent.online();
    await fetchFile(kept);
  });
  console.log(
    `cut at ${(kept.length / 1e6).toFixed(1)} MB and resumed there: complete after ${tookS.toFixed(1)} s`,
  );
} finally {
  await agent.stop();
  link.close();
  await bench.stop();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** What is there and the rest of the file; at `cutAt` bytes the link is cut. Throws for a file that is not the one. */
async function fetchFile(
  have: Uint8Array,
  cutAt = Number.POSITIVE_INFINITY,
): Promise<Uint8Array<ArrayBuffer>> {
  const query = new URLSearchParams({ path, from: String(have.length) });
  const reply = await fetch(
    `${bench.cloud.url}${API_PREFIX}/devices/${WORKGROUP}/${agent.device.id}/files?${query}`,
    {
      headers: { authorization: `Bearer ${bench.token}` },
    },
  );
  if (!reply.ok || !reply.body) throw new Error(`${reply.status} ${await reply.text()}`);
  const parts: Uint8Array[] = [have];
  let got = have.length;
  try {
    for await (const part of reply.body) {
      parts.push(part);
      got += part.length;
      if (got >= cutAt) link.cut();
    }
  } catch (error) {
    if (got < cutAt) throw error;
    return new Uint8Array(Buffer.concat(parts));
  }
  const whole = new Uint8Array(Buffer.concat(parts));
  if (createHash('sha256').update(whole).digest('hex') !== hash) throw new Error('It is another file.');
  return whole;
}

/** The same bytes from a program that does nothing but send them, through a link of the same speed. */
async function copyPlainly(): Promise<void> {
  // The slow direction of the link is towards the one who listens, so the copier listens there.
  const done = Promise.withResolvers<void>();
  let got = 0;
  const sink = createTlsServer({ cert: agent.identity.certPem, key: agent.identity.keyPem }, (socket) => {
    socket.on('error', done.reject).on('data', (part) => {
      got += part.length;
      if (got === bytes) done.resolve();
    });
  });
  await new Promise<void>((ready) => sink.listen(0, '127.0.0.1', ready));
  const road = new Link((sink.address() as AddressInfo).port);
  const sender = openTls({ port: await road.open(), host: '127.0.0.1', rejectUnauthorized: false });
  sender.on('error', () => {}).end(content);
  await done.promise;
  road.close();
  sink.close();
}
