import type { EnergyAtRisk, Incident } from './incidents.schema.ts';

/** The loss in one place, however many incidents are about it. */
export type Loss = Pick<EnergyAtRisk, 'energyWh' | 'powerW' | 'money'>;

/**
 * What incidents lost, counting each loss once. When several are about the same source, the one that lost most counts, at the
 * highest of their rates. A device lost either what its own incidents say or what its sources lost together, whichever is more.
 */
export function lossesOf(incidents: readonly Pick<Incident, 'device' | 'source' | 'energy'>[]): Loss[] {
  const devices = new Map<string | null, Map<string | null, Loss>>();
  for (const { device, source, energy } of incidents) {
    if (!energy) continue;
    const places = devices.get(device) ?? new Map<string | null, Loss>();
    devices.set(device, places);
    places.set(source, largerOf(places.get(source), energy));
  }
  return [...devices.values()].flatMap((places) => {
    const whole = places.get(null);
    const parts = [...places].flatMap(([source, loss]) => (source === null ? [] : [loss]));
    if (!whole || parts.length === 0) return [...places.values()];
    const inParts = parts.reduce((sum, { energyWh }) => sum + energyWh, 0);
    return whole.energyWh > inParts ? [whole] : parts;
  });
}

function largerOf(a: Loss | undefined, b: Loss): Loss {
  if (!a) return b;
  const rates = [a.powerW, b.powerW].filter((powerW) => powerW !== null);
  return { ...(b.energyWh > a.energyWh ? b : a), powerW: rates.length === 0 ? null : Math.max(...rates) };
}
