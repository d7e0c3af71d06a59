import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import { expect, test } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const MINUTE = 60_000;

test('what fires goes on over a restart and an edit of its text: the same incident, its consequence as silent as before', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'albedo-restart-'));
  let cloud: TestCloud = await startTestCloud({ ALBEDO_DATA: dataDir });
  try {
    const call = async (method: string, path: string, body?: unknown) =>
      (await cloud.call(method, path, { token: await cloud.owner(), body })).body;
    const device = (await call('POST', 'devices/main', { name: 'Hill' })).id as string;
    const low = {
      name: 'Low',
      kind: 'query',
      table: 'inverter',
      conditions: [{ field: 'AC Power', operator: '<', value: 10 }],
    };
    const { _id } = await call('POST', 'alerts/main', low);
    const arrive = async () => {
      const stream = {
        table: 'inverter',
        source: 'inv-1',
        fields: [{ name: 'AC Power', type: 'decimal' as const }],
      };
      const { alertEngine } = cloud.cloud.features;
      alertEngine.arrived({
        workgroup: 'main',
        device,
        streams: [{ ...stream, rows: [[1, Date.now(), 1]] }],
      });
      await alertEngine.settled();
    };
    await arrive();
    const { health, alertEngine } = cloud.cloud.features;
    health.setPresence(device, true, Date.now() - 30 * MINUTE);
    health.setPresence(device, false, Date.now() + 1);
    await alertEngine.round(Date.now() + 12 * MINUTE);
    const before: Incident[] = await call('GET', 'incidents/main');
    expect(before.map(({ kind, state }) => [kind, state])).toEqual([
      ['offline', 'unacknowledged'],
      ['query', 'suppressed'],
    ]);
    await cloud.stop();

    cloud = await startTestCloud({ ALBEDO_DATA: dataDir });
    await call('PUT', `alerts/main/${_id}`, { ...low, response: 'Look at the breaker.' });
    await arrive();
    await cloud.cloud.features.alertEngine.round();
    const after: Incident[] = await call('GET', 'incidents/main');
    expect(after.map(({ _id: id, state }) => [id, state])).toEqual(
      before.map(({ _id: id, state }) => [id, state]),
    );
    const { timeline } = await call('GET', `incidents/main/${before[1]?._id}`);
    expect(timeline.map(({ action }: { action: string }) => action)).toEqual(['opened', 'suppressed']);
  } finally {
    await cloud.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 90_000);
