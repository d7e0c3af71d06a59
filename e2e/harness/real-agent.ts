import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Device } from '@albedo/contract/devices/devices.schema';
import type { TestCloud } from '../../apps/cloud/src/testing/test-cloud.ts';
import { Program, until } from './processes.ts';

const AGENT = join(import.meta.dirname, '../../apps/agent/src/main.ts');

/** The agent as a process of its own, connected to a cloud in the process of the test. */
export interface RealAgent {
  device: Device;
  /** The folder it keeps everything in. */
  root: string;
  program: Program;
  /** Resolves once the cloud says that it is online. */
  online(): Promise<unknown>;
  stop(): Promise<void>;
}

/** Makes a device and starts its agent; `yaml` is added to its configuration, `programOf` starts another one than the source. */
export async function startRealAgent(
  test: TestCloud,
  name: string,
  yaml = 'machine: false\n',
  programOf = (root: string): Program => new Program(name, [AGENT, 'run', '--root', root]),
): Promise<RealAgent> {
  const { devices, certificates, health } = test.cloud.features;
  const device = await devices.create('main', { name, arch: 'amd64', ced: false }, null);
  const { certPem, keyPem } = await certificates.issue(device.id, 'main');
  const root = mkdtempSync(join(tmpdir(), 'albedo-agent-'));
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  put('etc/albedo/keys/ca-chain.crt', certificates.caPem);
  put('etc/albedo/keys/client.crt', certPem);
  put('etc/albedo/keys/client.key', keyPem);
  put(
    'etc/albedo/albedo.yaml',
    `mqtt:
  hostname: localhost
  port: ${test.cloud.mqttPort}
  cacertfile: /etc/albedo/keys/ca-chain.crt
  certfile: /etc/albedo/keys/client.crt
  keyfile: /etc/albedo/keys/client.key
${yaml}`,
  );
  const program = programOf(root);
  program.start();
  const online = () =>
    until(
      'the agent is online',
      30,
      async () => health.of(device.id).online,
      () => program.output,
    );
  await online();
  return {
    device,
    root,
    program,
    online,
    stop: async () => {
      await program.end('SIGTERM');
      rmSync(root, { recursive: true, force: true });
    },
  };
}
