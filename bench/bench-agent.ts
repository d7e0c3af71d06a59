import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { type BenchCloud, WORKGROUP } from './bench-cloud.ts';

const PROGRAM = join(import.meta.dirname, '../apps/agent/dist/agent.mjs');

/** The built agent as a process of its own, with a folder of its own, on its way to the cloud of a bench. */
export class BenchAgent {
  readonly device: Device;
  readonly root: string;
  /** PEM. */
  readonly identity: { certPem: string; keyPem: string };
  readonly #bench: BenchCloud;
  readonly #child: ChildProcess;

  private constructor(of: Pick<BenchAgent, 'device' | 'root' | 'identity'>, bench: BenchCloud) {
    this.device = of.device;
    this.root = of.root;
    this.identity = of.identity;
    this.#bench = bench;
    this.#child = spawn(process.execPath, [PROGRAM, 'run', '--root', this.root], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  /** `port` is where it finds the cloud, `lines` are added to its configuration. */
  static async start(
    bench: BenchCloud,
    { port = bench.cloud.mqttPort ?? 0, lines = '' } = {},
  ): Promise<BenchAgent> {
    const { devices, certificates } = bench.cloud.features;
    const device = await devices.create(WORKGROUP, { name: 'Edge', arch: 'amd64', ced: false }, null);
    const identity = await certificates.issue(device.id, WORKGROUP);
    const root = mkdtempSync(join(tmpdir(), 'albedo-bench-agent-'));
    const put = (name: string, text: string) => {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    };
    put('etc/albedo/keys/ca-chain.crt', certificates.caPem);
    put('etc/albedo/keys/client.crt', identity.certPem);
    put('etc/albedo/keys/client.key', identity.keyPem);
    put(
      'etc/albedo/albedo.yaml',
      `mqtt:
  hostname: localhost
  port: ${port}
  cacertfile: /etc/albedo/keys/ca-chain.crt
  certfile: /etc/albedo/keys/client.crt
  keyfile: /etc/albedo/keys/client.key
machine: false
${lines}`,
    );
    return new BenchAgent({ device, root, identity }, bench);
  }

  async online(): Promise<void> {
    const { health } = this.#bench.cloud.features;
    while (!health.of(this.device.id).online) await sleep(50);
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    // Until then it writes into the folder.
    await ended;
    rmSync(this.root, { recursive: true, force: true });
  }
}
