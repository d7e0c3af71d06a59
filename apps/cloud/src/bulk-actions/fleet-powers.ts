import type { FieldRoles } from '../field-roles/field-roles.service.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { Powers } from './watch.ts';

/** Points that one series is asked for: each span has some. */
const POINTS = 60;

/**
 * Mean power of the plants of a workgroup before and after an instant, from what their inverters gave: W, a device
 * without an inverter is missing. Gaps count as nothing: a plant that says nothing gives nothing that is known.
 */
export async function fleetPowers(
  of: { telemetry: Telemetry; roles: FieldRoles },
  workgroup: string,
  { from, mid, to }: { from: number; mid: number; to: number },
): Promise<Powers> {
  const sources = await of.roles.inRollout(workgroup);
  const parts = sources.flatMap(({ device, kind, places, table, source }) => {
    const place = kind === 'inverter' ? places.acPower : undefined;
    return place ? [{ key: { device, table, source, field: place.field }, place }] : [];
  });
  if (parts.length === 0) return new Map();
  const points = await of.telemetry
    .asSystem('rollouts', workgroup)
    .series({ from, to, maxPoints: POINTS, series: parts.map(({ key }) => key) });
  const powers = new Map<string, { beforeW: number; afterW: number }>();
  parts.forEach(({ key, place }, i) => {
    const { times = [], avg = [] } = points[i] ?? {};
    const mean = (isIn: (at: number) => boolean): number => {
      const values = times.flatMap((at, n) => (isIn(at) ? [avg[n] ?? 0] : []));
      if (values.length === 0) return 0;
      return (values.reduce((sum, one) => sum + one, 0) / values.length) * place.factor + place.offset;
    };
    const known = powers.get(key.device) ?? { beforeW: 0, afterW: 0 };
    known.beforeW += mean((at) => at < mid);
    known.afterW += mean((at) => at >= mid);
    powers.set(key.device, known);
  });
  return powers;
}
