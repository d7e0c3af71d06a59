/** A limit from a signed order to the inverter and back, with each process killed on the way. */
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FrameHeader } from '@albedo/contract/link/link.frames';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ControlledSite } from './testing/controlled-site.ts';

const POWER = 'operator/setpoint_activepower';
let site: ControlledSite;
let version = 0;
beforeAll(async () => {
  site = new ControlledSite();
  await site.start();
}, 30_000);
afterAll(() => site.stop());

const entry = (value: string) => ({ datetime: new Date(Date.now() - 1000).toISOString(), value });
const limit = (percent: number, holdsMs: number | null = null, trialMs: number | null = null) => {
  version++;
  return site.cloud.order({
    version,
    entries: [entry(`${percent}%`)],
    endsAt: holdsMs && Date.now() + holdsMs,
    trialUntil: trialMs && Date.now() + trialMs,
  });
};
const resultOf = (header: FrameHeader) => {
  if (header.t !== 'done') throw new Error(JSON.stringify(header));
  return header.result as Record<string, unknown>;
};
const eventually = <T>(look: () => Promise<T>, wanted: T) =>
  vi.waitFor(async () => expect(await look()).toEqual(wanted), { timeout: 15_000, interval: 50 });

test('Discover finds the setpoints, a rehearsal says registers, an order limits the plant, and is followed', async () => {
  const before = await site.powerW();
  expect(before).toBeGreaterThan(18_000);
  const { setpoints } = resultOf(await site.cloud.askAtOnce('schedules.read', {})) as never as {
    setpoints: { path: string }[];
  };
  expect(setpoints.map(({ path }) => path)).toEqual([
    POWER,
    'operator/setpoint_cosphi',
    'operator/setpoint_reactivepower',
  ]);
  const entries = [{ datetime: '2026-12-01T10:00:00Z', value: '60%' }];
  expect(resultOf(await site.cloud.askAtOnce('schedules.rehearse', { path: POWER, entries }))).toMatchObject({
    entries: [{ inverters: [{ kw: 15 }, { kw: 15 }] }],
    inverters: [{ isReached: true, model: 123, whenLost: 'release', timerS: 120 }, {}],
  });
  const order = await limit(60);
  expect(resultOf(order)).toEqual({ version: 1, sha256: expect.any(String) });
  await eventually(() => site.limitPct(), 60);
  await eventually(() => site.powerW(), 15_000);
  const watch = { path: POWER, version: 1, forMs: 0 };
  const look = async () => resultOf(await site.cloud.askAtOnce('schedules.watch', watch));
  await vi.waitFor(
    async () =>
      expect(await look()).toMatchObject({
        value: '60%',
        version: 1,
        inverters: [
          { name: 'inv-01', register: 'WMaxLimPct', wanted: '60%', readBack: '60%', result: 'followed' },
          { name: 'inv-02', result: 'followed' },
        ],
      }),
    { timeout: 25_000, interval: 200 },
  );
  const [read] = (
    resultOf(await site.cloud.askAtOnce('schedules.read', {})) as never as {
      setpoints: { version: number; entries: unknown[] }[];
    }
  ).setpoints;
  expect(read).toMatchObject({ version: 1, value: '60%', entries: [{ value: '60%' }] });
  version++;
  await site.cloud.order({ version, action: 'release', entries: [] });
  await eventually(() => site.limitPct(), 100);
}, 60_000);

test.skipIf(spawnSync('mbpoll', ['-h']).error)(
  'mbpoll confirms the register and the falling power',
  async () => {
    const address = await site.limitAddress();
    const port = String(site.ports.get('hilltop'));
    const mbpoll = () =>
      spawnSync(
        'mbpoll',
        ['-m', 'tcp', '-p', port, '-a', '1', '-0', '-r', String(address), '-1', '127.0.0.1'],
        {
          encoding: 'utf8',
        },
      ).stdout;
    await limit(60);
    await vi.waitFor(() => expect(mbpoll()).toMatch(/\b6000\b/), { timeout: 15_000 });
  },
  30_000,
);

/** What the inverter was ever limited to, while somebody looks. */
class Watcher {
  readonly seen = new Set<number>();
  #isOver = false;
  #running: Promise<void> = Promise.resolve();

  start(): void {
    this.#running = (async () => {
      while (!this.#isOver) {
        // Nobody can ask one that was killed.
        const limitPct = await site.limitPct().catch(() => null);
        if (limitPct !== null) this.seen.add(limitPct);
        await sleep(20);
      }
    })();
  }

  async stop(): Promise<number[]> {
    this.#isOver = true;
    await this.#running;
    return [...this.seen].sort((a, b) => a - b);
  }
}

/** Kills at an instant of an order: before it is answered, once it is, or once the inverter has it. */
const INSTANTS = ['sent', 'answered', 'obeyed'] as const;
const isLong = process.env.ALBEDO_TEST_LONG === '1';
const TRIAL_MS = 4000;
for (const victim of ['agent', 'plugin', 'inverter'] as const)
  test(`the ${victim} killed while it limits: only what was ordered, and back in time`, async () => {
    for (const instant of isLong ? INSTANTS : INSTANTS.slice(-1)) {
      await eventually(() => site.limitPct().catch(() => null), 100);
      const watcher = new Watcher();
      watcher.start();
      const sent = limit(40, null, TRIAL_MS);
      const trialUntil = Date.now() + TRIAL_MS;
      if (instant !== 'sent') await sent;
      if (instant === 'obeyed') await eventually(() => site.limitPct(), 40);
      if (victim === 'agent') {
        await site.killAgent();
        site.startAgent();
      } else if (victim === 'plugin') await site.killPlugin();
      else {
        await site.killPlant();
        await site.startPlant();
      }
      // The cloud, which may have heard nothing, sends what it has sent once more.
      if (instant === 'sent') void sent.catch(() => {});
      while (Date.now() < trialUntil) await sleep(50);
      await eventually(() => site.limitPct().catch(() => null), 100);
      expect([instant, await watcher.stop()]).toEqual([instant, expect.toBeOneOf([[40, 100], [100]])]);
    }
  }, 120_000);
