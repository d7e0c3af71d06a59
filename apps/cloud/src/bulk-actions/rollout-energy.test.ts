import type { BulkAction } from '@albedo/contract/bulk-actions/bulk-actions.schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectAgent, type FakeAgent } from '../testing/fake-agent.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const MINUTE_MS = 60_000;
let cloud: TestCloud;
let token = '';
const plants: FakeAgent[] = [];

beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
}, 60_000);
afterAll(async () => {
  await Promise.all(plants.map((plant) => plant.leave()));
  await cloud.stop();
});

/** A plant that does as it is told. */
async function plant(name: string): Promise<FakeAgent> {
  const agent = await connectAgent(cloud, 'main', name);
  agent.onRequest((request) => {
    if (request.action !== 'cmd') return;
    const { correlationId } = request;
    void agent.publish('reply', { correlationId, complete: true, stdout: 'ok\n', returnCode: 0 });
  });
  plants.push(agent);
  return agent;
}

/** What its inverter gives from one moment to another, W, every ten seconds. */
async function gives(agent: FakeAgent, from: number, to: number, powerW: number): Promise<void> {
  const rows: unknown[][] = [];
  for (let at = from; at < to; at += 10_000) rows.push([at, powerW]);
  const fields = [{ name: 'AC Power', type: 'decimal' as const, units: 'W' }];
  await agent.send([{ table: 'solar', source: 'inverter-1', fields, rows }]);
  await agent.acknowledged();
}

const call = (method: string, path: string, body?: object) =>
  cloud.call(method, `bulk-actions/main${path}`, { token, ...(body ? { body } : {}) });

test('a rollout goes on at dusk, and stops itself when the plants of its first wave give less than the rest', async () => {
  const all = await Promise.all(['A', 'B', 'C', 'D', 'E', 'F'].map(plant));
  const { health, bulkActions } = cloud.cloud.features;
  await expect.poll(() => all.every(({ id }) => health.of(id).online), { timeout: 30_000 }).toBe(true);
  const saved = await cloud.call('POST', `devices/main/${all[0]?.id}/commands`, {
    token,
    body: { name: 'Set', command: 'set-inverter' },
  });
  const begun = await call('POST', '/command', {
    command: saved.body._id,
    values: {},
    devices: all.map(({ id }) => id),
    plan: { firstWave: 2, waveSize: 4, soakMinutes: 30, gates: { stalePercent: null } },
  });
  expect(begun.status).toBe(200);
  const id: string = begun.body.action._id;
  const state = async () => (await call('GET', `/${id}`)).body as BulkAction;
  await expect.poll(async () => (await state()).counts.done, { timeout: 60_000 }).toBe(2);

  // The clock of the rollout is moved on, so that nobody waits for a plant to lose an hour of power.
  const began = Date.now();
  const dusk = began + 6 * MINUTE_MS;
  for (const one of all) {
    await gives(one, began - 20 * MINUTE_MS, began, 10_000);
    await gives(one, began, dusk, 5000);
  }
  await bulkActions.step(id, dusk);
  expect(await state()).toMatchObject({ state: 'running', wave: 1, stop: null });

  const later = dusk + 6 * MINUTE_MS;
  for (const [at, one] of all.entries()) await gives(one, dusk, later, at < 2 ? 0 : 5000);
  await bulkActions.step(id, later);
  const stopped = await state();
  expect(stopped).toMatchObject({
    state: 'stopped',
    stop: { gate: 'energy', wave: 1, limit: 10 },
    counts: { done: 2, waiting: 4 },
  });
  // Half of the light is gone everywhere; of the rest the first wave lost half again.
  expect(stopped.stop?.rest).toBeGreaterThan(45);
  expect(stopped.stop?.rest).toBeLessThan(60);
  expect(stopped.stop?.touched).toBeLessThan((stopped.stop?.rest ?? 0) - 10);
  expect(await auditOf(cloud, 'main')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ controller: 'bulk_action', action: 'stop', entity: id }),
    ]),
  );
}, 180_000);
