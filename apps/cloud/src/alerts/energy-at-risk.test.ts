import type { EnergyAtRisk } from '@albedo/contract/incidents/incidents.schema';
import { expect, test } from 'vitest';
import { countEnergy, type EnergyParts } from './energy-at-risk.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOON = Date.UTC(2026, 5, 14, 12);

test('what a part is missing of is counted once an hour anew, so that late events count', async () => {
  let energy: EnergyAtRisk | null = null;
  let asked = 0;
  /** What the store has for each hour, W. */
  let storedW = 1000;
  const row = () => ({
    ...{ id: '00000000-0000-4000-8000-000000000001', workgroup: 'main', device: 'hill', source: 'inv-1' },
    ...{ kind: 'finding', finding: 'below', condition: 'active', causedBy: null, energy },
    ...{ since: new Date(NOON - 10 * HOUR), reading: { value: 50 } },
  });
  const source = (now: number) => ({
    ...{ device: 'hill', table: 'solar', source: 'inv-1', kind: 'inverter', eventAt: now },
    ...{ places: { acPower: { field: 'AC Power', factor: 1, offset: 0 } }, values: { 'AC Power': 600 } },
  });
  const buckets = async ({ from, to, stepMs }: { from: number; to: number; stepMs: number }) => {
    asked += 1;
    const times = Array.from({ length: (to - from) / stepMs + 1 }, (_, i) => from + i * stepMs);
    return [{ times, stepMs, avg: times.map(() => storedW) }];
  };
  const count = async (now: number) => {
    const parts = {
      incidents: {
        openIn: () => [row()],
        setEnergy: async (_: string, __: string, next: EnergyAtRisk) => {
          energy = next;
        },
      },
      roles: { inRollout: async () => [source(now)] },
      registry: { known: () => ({ info: {} }) },
      telemetry: { asSystem: () => ({ buckets }) },
    };
    await countEnergy(parts as unknown as EnergyParts, 'main', now);
    return energy?.energyWh;
  };
  // Half is missing: as much as it gave.
  expect(await count(NOON)).toBe(10_000);
  storedW = 2000;
  // It goes on with the power of now.
  expect(await count(NOON + 10 * MINUTE)).toBe(10_100);
  expect(asked).toBe(1);
  // A long pause is read.
  expect(await count(NOON + 40 * MINUTE)).toBe(11_100);
  expect(await count(NOON + HOUR)).toBe(22_000);
  expect(asked).toBe(3);
});
