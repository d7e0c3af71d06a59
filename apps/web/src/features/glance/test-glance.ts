import type { GlanceCause, PlantGlance } from '@albedo/contract/glance/glance.schema';
import { buildDevice } from '../../app/test-device.ts';

const ENERGY = {
  day: '2026-11-29',
  isToday: true,
  energyKWh: 970,
  expectedKWh: 1000,
  paired: { energyKWh: 970, expectedKWh: 1000 },
  ratio: 0.97,
  reason: null,
  inverters: { counted: 2, all: 2 },
  computedAt: Date.now() - 60_000,
};

/** A plant that produces what its light allows, with the given changes. */
export function buildGlance(
  name: string,
  { energy, ...part }: Partial<Omit<PlantGlance, 'energy'>> & { energy?: Partial<typeof ENERGY> | null } = {},
): PlantGlance {
  return {
    ...{
      device: buildDevice(name).id,
      name,
      zone: 'UTC',
      state: 'well',
      isDark: false,
      ratedPowerW: 100_000,
    },
    power: { value: 40_000, at: Date.now() - 5000, missing: null },
    energy: energy === null ? null : { ...ENERGY, ...energy },
    today: { energyKWh: 970, expectedKWh: 1000, paired: { energyKWh: 970, expectedKWh: 1000 } },
    causes: [],
    cost: null,
    ...part,
  };
}

export const buildCause = (part: Partial<GlanceCause> = {}): GlanceCause => ({
  ...{ kind: 'string', source: 'inv-07', subject: 'Inverter 7', percent: 33, input: '2', incident: null },
  since: null,
  ...part,
});
