import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Packs } from './packs.service.ts';

const identity = {
  caPem: 'ca',
  certPem: 'cert',
  keyPem: 'key',
  mqtt: { hostname: 'cloud.example.org', port: 8883 },
};
let folder = '';
let packs: Packs;
const agentDist = () => join(folder, 'agent');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-packs-'));
  packs = new Packs({ agentDist: agentDist(), pluginsDir: join(folder, 'plugins') });
  mkdirSync(agentDist());
  for (const file of ['agent.mjs', 'install.sh', 'albedo.service']) {
    writeFileSync(join(agentDist(), file), file);
  }
  writeFileSync(join(agentDist(), 'version.json'), '{"version":"2.5.0"}');
  mkdirSync(join(folder, 'plugins/modbus/dist'), { recursive: true });
  writeFileSync(join(folder, 'plugins/modbus/dist/modbus.mjs'), 'modbus');
  mkdirSync(join(folder, 'plugins/snmp/dist'), { recursive: true });
  writeFileSync(join(folder, 'plugins/snmp/dist/snmp.mjs'), 'snmp');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Unpacks with the tar of the system, as the install command does. */
async function unpack(arch: 'armhf' | 'amd64' | 'arm64'): Promise<string> {
  const path = join(folder, 'pack.tar.gz');
  writeFileSync(path, await buffer(await packs.make({ ...identity, arch })));
  execFileSync('tar', ['-xzf', path, '-C', folder], { stdio: 'pipe' });
  return join(folder, 'albedo-agent');
}

test('a pack unpacks with the tar of the system', async () => {
  writeFileSync(join(agentDist(), 'open-source-licences.txt'), 'MIT');
  const root = await unpack('armhf');
  expect(readdirSync(join(root, 'plugins'))).toEqual(['modbus.mjs']);
  expect(readFileSync(join(root, 'open-source-licences.txt'), 'utf8')).toBe('MIT');
  expect(readFileSync(join(root, 'etc/albedo/keys/client.key'), 'utf8')).toBe('key');
  expect(statSync(join(root, 'etc/albedo/keys/client.key')).mode & 0o777).toBe(0o600);
  expect(statSync(join(root, 'install.sh')).mode & 0o777).toBe(0o755);
  expect(readFileSync(join(root, 'etc/albedo/albedo.yaml'), 'utf8')).toContain(
    'hostname: "cloud.example.org"\n  port: 8883\n',
  );
});

test('a pack brings Node for its processor, where the server has one', async () => {
  expect(existsSync(join(await unpack('armhf'), 'node'))).toBe(false);
  const other =
    process.arch === 'arm64'
      ? ({ arch: 'amd64', cpu: 'x64' } as const)
      : ({ arch: 'arm64', cpu: 'arm64' } as const);
  const runtimesDir = join(folder, 'runtimes');
  const runtime = join(runtimesDir, `${process.versions.node}-${other.cpu}`);
  mkdirSync(runtime, { recursive: true });
  writeFileSync(join(runtime, 'node'), 'node of another processor');
  packs = new Packs({ agentDist: agentDist(), pluginsDir: join(folder, 'plugins'), runtimesDir });
  const root = await unpack(other.arch);
  expect(readFileSync(join(root, 'node'), 'utf8')).toBe('node of another processor');
  expect(statSync(join(root, 'node')).mode & 0o777).toBe(0o755);
  expect(readFileSync(join(root, 'SHA256SUMS'), 'utf8')).toMatch(/ {2}node$/m);
});

test('packs that are asked for at once share one compressed program', async () => {
  const streams = await Promise.all(
    Array.from({ length: 5 }, () => packs.make({ ...identity, arch: 'armhf' })),
  );
  const programs = streams.map((stream) => stream.read() as Buffer);
  // The same bytes in memory, not equal ones.
  const [first] = programs.map(({ buffer, byteOffset }) => ({ buffer, byteOffset }));
  for (const { buffer, byteOffset } of programs)
    expect(buffer === first?.buffer && byteOffset === first.byteOffset).toBe(true);
});

test('a pack has the compiled part for serial lines once, and only that of its processor', async () => {
  for (const plugin of ['modbus', 'sunspec']) {
    for (const processor of ['arm', 'x64']) {
      const parts = join(folder, 'plugins', plugin, 'dist/serial', processor);
      mkdirSync(parts, { recursive: true });
      writeFileSync(join(parts, 'serialport-glibc.node'), processor);
    }
  }
  const root = await unpack('armhf');
  expect(readFileSync(join(root, 'plugins/serial/arm/serialport-glibc.node'), 'utf8')).toBe('arm');
  expect(readdirSync(join(root, 'plugins/serial'))).toEqual(['arm']);
});

test('a pack lists the checksums of its program, and its installer takes no other file', async () => {
  const root = await unpack('armhf');
  const check = () => execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: root, stdio: 'pipe' });
  check();
  const installer = readFileSync(join(import.meta.dirname, '../../../agent/pack/install.sh'), 'utf8');
  writeFileSync(join(root, 'real.sh'), installer);
  const refused = () => {
    try {
      execFileSync('sh', [join(root, 'real.sh'), '--root', join(folder, 'root')], { stdio: 'pipe' });
      return '';
    } catch (error) {
      return String((error as { stderr: Buffer }).stderr);
    }
  };
  expect(refused()).toContain('real.sh is not in SHA256SUMS');
  writeFileSync(join(root, 'plugins/modbus.mjs'), 'something else');
  expect(check).toThrow();
});

test('the next pack holds an agent that was built in the meantime', async () => {
  await unpack('armhf');
  writeFileSync(join(agentDist(), 'agent.mjs'), 'a newer agent');
  const root = await unpack('armhf');
  expect(readFileSync(join(root, 'agent.mjs'), 'utf8')).toBe('a newer agent');
});

test('without the built agent the missing file is in the facts', async () => {
  rmSync(join(agentDist(), 'install.sh'));
  await expect(packs.make({ ...identity, arch: 'armhf' })).rejects.toMatchObject({
    error: 'pack.not_built',
    facts: { missing: join(agentDist(), 'install.sh') },
  });
});
