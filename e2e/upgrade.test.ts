/** The agent of a device is replaced from the cloud: the new version stays, and one that does not report in goes. */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../apps/agent/src/version.ts';
import { BrowserSocket } from '../apps/cloud/src/testing/browser-socket.ts';
import {
  auditOf,
  buildAgent,
  OWNER,
  startTestCloud,
  type TestCloud,
} from '../apps/cloud/src/testing/test-cloud.ts';
import { Program } from './harness/processes.ts';
import { type RealAgent, startRealAgent } from './harness/real-agent.ts';

const AGENT = join(import.meta.dirname, '../apps/agent');
let cloud: TestCloud;
let agent: RealAgent;
let token = '';
let browser: BrowserSocket;
let bin = '';
let atd: ReturnType<typeof spawn>;

/** How long a version may take to report in. */
const given = (seconds: number) => writeFileSync(join(bin, 'seconds'), String(seconds));

/** Builds lay the new version where the cloud packs from; `before` stands in front of its code. */
function offer(version: string, before = ''): void {
  const code = readFileSync(join(AGENT, 'dist/agent.mjs'), 'utf8');
  writeFileSync(join(cloud.agentDist, 'agent.mjs'), before + code.replaceAll(VERSION, version));
  writeFileSync(join(cloud.agentDist, 'version.json'), JSON.stringify({ version }));
}

beforeAll(async () => {
  execFileSync(process.execPath, [join(AGENT, 'build.ts')]);
  // `at` and its daemon, which the machine of a test may lack: a job begins after seconds instead of minutes.
  bin = mkdtempSync(join(tmpdir(), 'albedo-bin-'));
  const at = `#!/bin/bash\njob=$(mktemp ${bin}/job.XXXX)\ncat >"$job"\n(sleep $(cat ${bin}/seconds); bash "$job") >/dev/null 2>&1 </dev/null &\n`;
  writeFileSync(join(bin, 'at'), at);
  chmodSync(join(bin, 'at'), 0o755);
  given(20);
  copyFileSync('/bin/sleep', join(bin, 'atd'));
  cloud = await startTestCloud();
  buildAgent(cloud);
  token = await cloud.owner();
  agent = await startRealAgent(cloud, 'Hilltop', 'machine: false\n', (root) => {
    const home = join(root, 'usr/lib/albedo');
    for (const folder of [home, join(root, 'run/albedo')]) mkdirSync(folder, { recursive: true });
    const program = join(home, 'agent.mjs');
    copyFileSync(join(AGENT, 'dist/agent.mjs'), program);
    const line = `echo $$ >${root}/run/albedo/agent.pid; exec ${process.execPath} ${program} run --root ${root}`;
    return new Program('Hilltop', ['-c', line], { PATH: `${bin}:${process.env.PATH}` }, '/bin/bash');
  });
  browser = await new BrowserSocket(cloud, { token, orgName: 'main' }).connected();
}, 180_000);
afterAll(async () => {
  browser?.close();
  atd?.kill();
  // Not the process that the test started any more.
  if (agent) process.kill(Number(readFileSync(join(agent.root, 'run/albedo/agent.pid'), 'utf8')), 'SIGKILL');
  await agent?.stop();
  await cloud?.stop();
  rmSync(bin, { recursive: true, force: true });
});

const readiness = () => cloud.call('GET', `devices/main/${agent.device.id}/upgrade`, { token });
async function upgrade() {
  const steps: string[] = [];
  const reply = await browser.call('device:doUpgrade', { deviceId: agent.device.id }, ({ data }) => {
    steps.push(String((data as { step?: string } | undefined)?.step ?? ''));
  });
  return { ...reply, steps };
}

test('without its five conditions nothing is upgraded, and the first that is missing is named', async () => {
  offer('9.9.9');
  const { body } = await readiness();
  expect(body).toMatchObject({ version: VERSION, obstacle: null, trial: null, last: null });
  expect(body.checks.map(({ check }: { check: string }) => check)).toEqual([
    'bash',
    'unzip',
    'curl',
    'root',
    'atd',
  ]);
  const { error } = await upgrade();
  expect(error).toMatchObject({ error: 'upgrade.check_failed' });
  expect(error?.message).toMatch(/^Pre-upgrade check failed: (root|unzip|atd)$/);
  atd = spawn(join(bin, 'atd'), ['600']);
  await expect
    .poll(async () => (await readiness()).body.checks.find(({ check }: { check: string }) => check === 'atd'))
    .toMatchObject({ isMet: true });
});

test('a new version is signed, installed, reports in and stays', async () => {
  const build = await cloud.call('GET', 'agent/build', { token });
  expect(build.body).toMatchObject({ version: '9.9.9', build: build.body.sha256.slice(0, 12) });
  expect((await cloud.call('GET', 'agent/version', { token })).body).toEqual({ version: '9.9.9' });
  const { data, error, steps } = await upgrade();
  expect([data, error]).toMatchObject([{ status: 'completed', version: '9.9.9' }, undefined]);
  expect(steps).toEqual(expect.arrayContaining(['verified', 'received', 'tried', 'marked', 'switched']));
  expect((await readiness()).body).toMatchObject({
    version: '9.9.9',
    trial: null,
    last: { from: VERSION, to: '9.9.9', outcome: 'done' },
  });
  const change = { controller: 'agent', old_value: VERSION, new_value: '9.9.9', user_id: OWNER.email };
  expect(await auditOf(cloud, 'main')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...change, action: 'begin_upgrade' }),
      expect.objectContaining({ ...change, action: 'upgrade', status: 'success' }),
    ]),
  );
}, 60_000);

test('a version that does not report in goes, and the one before comes back by itself', async () => {
  given(5);
  offer(
    '9.9.10',
    "if (process.argv.includes('run')) await new Promise(() => setInterval(() => {}, 1000));\n",
  );
  const { error } = await upgrade();
  expect(error).toMatchObject({ error: 'upgrade.returned' });
  expect((await readiness()).body).toMatchObject({ version: '9.9.9', last: { outcome: 'returned' } });
}, 90_000);

// Later steps are over before a signal from here arrives; the installer's own tests end it at each of them.
for (const [at, version] of [
  ['verified', '9.9.14'],
  ['received', '9.9.15'],
] as const)
  test(`killed while a version is fetched and unpacked, at "${at}", the version before is there`, async () => {
    given(20);
    offer(version);
    const pid = () => Number(readFileSync(join(agent.root, 'run/albedo/agent.pid'), 'utf8'));
    const steps: string[] = [];
    const attempt = browser.call('device:doUpgrade', { deviceId: agent.device.id }, ({ data }) => {
      const step = String((data as { step?: string } | undefined)?.step ?? '');
      steps.push(step);
      if (step === at) process.kill(pid(), 'SIGKILL');
    });
    expect((await attempt).error?.error).toMatch(/^(upgrade|device)\./);
    expect(steps).not.toContain('switched');
    // As its supervisor does.
    agent.program.start();
    await expect
      .poll(async () => (await readiness()).body, { timeout: 30_000, interval: 300 })
      .toMatchObject({ version: '9.9.9', trial: null });
    await agent.online();
  }, 60_000);

/** In front of the code of a version: it is killed as it writes down that it stays, before or after that is on the disk. */
const killedAtReport = (when: 'before' | 'after') => `
if (process.argv.includes('run')) {
  const files = (await import('node:fs/promises')).default;
  const { syncBuiltinESMExports } = await import('node:module');
  const { rename } = files;
  files.rename = async (from, to) => {
    const isEnd = String(to).endsWith('last.json');
    if (isEnd && '${when}' === 'before') process.kill(process.pid, 'SIGKILL');
    await rename(from, to);
    if (isEnd) process.kill(process.pid, 'SIGKILL');
  };
  syncBuiltinESMExports();
}
`;

for (const [when, version] of [
  ['before', '9.9.12'],
  ['after', '9.9.13'],
] as const)
  test(`killed at its first report, ${when} it is written down, the version before is back and says so`, async () => {
    given(5);
    offer(version, killedAtReport(when));
    const { error, steps } = await upgrade();
    expect(steps).toContain('switched');
    expect(error).toMatchObject({ error: 'upgrade.returned' });
    await expect
      .poll(async () => (await readiness()).body, { timeout: 30_000, interval: 500 })
      .toMatchObject({ version: '9.9.9', trial: null, last: { to: version, outcome: 'returned' } });
  }, 90_000);

test('what does not even start, or is refused by the device, changes nothing', async () => {
  offer('9.9.11', 'throw new Error("no luck");\n');
  expect((await upgrade()).error).toMatchObject({
    error: 'device.unable',
    message: expect.stringContaining('does not run on this machine'),
  });
  // The version that does not start stays on offer until the device has read its configuration.
  const config = join(agent.root, 'etc/albedo/albedo.yaml');
  writeFileSync(config, `${readFileSync(config, 'utf8')}remote: {upgrades: false}\n`);
  await expect
    .poll(async () => (await upgrade()).error?.message, { timeout: 30_000, interval: 1000 })
    .toContain('remote: upgrades');
  expect((await readiness()).body.version).toBe('9.9.9');
}, 60_000);
