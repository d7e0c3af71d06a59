import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ALL_DEVICES } from '../access/device-scope.ts';
import { startTestCloud } from '../testing/test-cloud.ts';
import { DEMO_DEVICES } from './demo.plants.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'albedo-demo-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const file = (slug: string, path: string) => join(dataDir, 'demo/agents', slug, 'etc/albedo', path);

test('the demo is made once: a second start keeps its devices, their keys and what was added to their files', async () => {
  const env = { ALBEDO_DEMO: '1', ALBEDO_DATA: dataDir };
  const first = await startTestCloud(env);
  const made = first.cloud.features.devices.list('demo', ALL_DEVICES);
  expect(made.map((device) => device.name).sort()).toEqual(DEMO_DEVICES.map((device) => device.name).sort());
  const hilltop = made.find((device) => device.name === 'Hilltop')?.id ?? '';
  const { body } = await first.call('GET', `devices/demo/${hilltop}`, { token: await first.owner() });
  expect(body.settings.info).toMatchObject({ Latitude: '-33.93', Timezone: 'Africa/Johannesburg' });
  const { body: tree } = await first.call('GET', 'entities/demo', { token: await first.owner() });
  const portfolio = tree.find(({ name }: { name: string }) => name === 'Portfolio');
  expect(portfolio).toMatchObject({ children: ['harbour', 'hilltop', 'riverside'], meta: { kWp: 1994.6 } });
  // Three sites with 2, 5 and 12 inverters, each with a meter and a station.
  expect(tree).toHaveLength(1 + 3 + 19 + 6);
  const machines = (await first.call('GET', 'machines/demo', { token: await first.owner() })).body;
  const inverter = tree.find(({ _id }: { _id: string }) => _id === 'harbour-inv-12');
  expect(machines.find(({ _id }: { _id: string }) => _id === inverter.machine)).toMatchObject({
    model: 'AI-100',
  });
  const kpis = (await first.call('GET', 'kpis/demo', { token: await first.owner() })).body;
  const boards = (await first.call('GET', 'entityDashboards/demo', { token: await first.owner() })).body;
  const overview = boards.find(({ name }: { name: string }) => name === 'Overview');
  const { body: shown } = await first.call('GET', `entityDashboards/demo/${overview._id}`, {
    token: await first.owner(),
  });
  const league = shown.board.items.find(({ kind }: { kind: string }) => kind === 'league');
  expect(kpis.find(({ _id }: { _id: string }) => _id === league.settings.figure.kpi)?.name).toBe(
    'Yield against peers',
  );
  // All of it has its first version from the start.
  const [calculation] = (await first.call('GET', 'calculationsV2/demo', { token: await first.owner() })).body;
  for (const path of [
    'entity/portfolio',
    `machine/${inverter.machine}`,
    `kpi/${kpis[0]._id}`,
    `dashboard/${overview._id}`,
    `calculation/${calculation._id}`,
  ]) {
    const { body } = await first.call('GET', `history/demo/${path}`, { token: await first.owner() });
    expect(body, path).toMatchObject([{ version: 1, by: 'demo' }]);
  }
  await first.call('PUT', 'entities/demo/portfolio', { token: await first.owner(), body: { name: 'Mine' } });
  const certificate = readFileSync(file('hilltop', 'keys/client.crt'), 'utf8');
  expect(statSync(file('hilltop', 'keys/client.key')).mode & 0o777).toBe(0o600);
  const settings = file('hilltop', 'albedo.yaml');
  writeFileSync(settings, `${readFileSync(settings, 'utf8')}run: []\n`);
  // The demo says that it has written something of the past; nothing of it has arrived.
  const written = {
    at: Date.now(),
    days: 397,
    share: 0.25,
    msLeft: 8000,
    wholeFrom: Date.now() - 86_400_000,
  };
  writeFileSync(join(dataDir, 'demo/history.json'), JSON.stringify(written));
  first.cloud.features.demo.look();
  const { body: filling } = await first.call('GET', 'demo/demo/filling', { token: await first.owner() });
  expect(filling).toEqual({ filling: { days: 397, share: 0.25, msLeft: 8000, wholeFrom: null } });
  await first.stop();

  const second = await startTestCloud(env);
  const { mqttPort } = second.cloud;
  expect(second.cloud.features.devices.list('demo', ALL_DEVICES).map((device) => device.id)).toEqual(
    made.map((device) => device.id),
  );
  const { body: stayed } = await second.call('GET', 'entities/demo', { token: await second.owner() });
  expect(stayed.find(({ _id }: { _id: string }) => _id === 'portfolio').name).toBe('Mine');
  expect(readFileSync(file('hilltop', 'keys/client.crt'), 'utf8')).toBe(certificate);
  const kept = readFileSync(settings, 'utf8');
  expect(kept).toContain(`port: ${mqttPort}\n`);
  expect(kept).toContain('run: []\n');
  await second.stop();
}, 120_000);
