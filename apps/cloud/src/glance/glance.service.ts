import type { Glance } from '@albedo/contract/glance/glance.schema';
import type { PlantSummary } from '@albedo/contract/plants/plants.schema';
import type { Caller } from '../access/caller.ts';
import type { Energy } from '../energy/energy.service.ts';
import type { DayOfDevice } from '../energy/energy-reports.service.ts';
import type { Incidents } from '../incidents/incidents.service.ts';
import type { Plants } from '../plants/plants.service.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { byNeed, isTold, type KnownDay, plantGlance } from './plant-glance.ts';

/** Days that are looked at, the one that has begun among them. */
const DAYS = 2;
const DAY_MS = 86_400_000;

export interface GlanceParts {
  plants: Pick<Plants, 'list'>;
  incidents: Pick<Incidents, 'active' | 'lastEnd'>;
  energy: Pick<Energy, 'reports'>;
  workgroups: Pick<Workgroups, 'hasAddon'>;
}

/** What somebody has to know who looks for ten seconds: how plants do, what is wrong, and what it costs. */
export class GlanceService {
  readonly #parts: GlanceParts;

  constructor(parts: GlanceParts) {
    this.#parts = parts;
  }

  /** The plants that the caller sees, the worst first. */
  async of(caller: Caller): Promise<Glance> {
    const { plants, incidents, energy, workgroups } = this.#parts;
    const areCounted = workgroups.hasAddon(caller.workgroup, 'daily-energy');
    const [{ at, plants: all }, open] = await Promise.all([plants.list(caller), incidents.active(caller)]);
    const wanted = new Set(all.flatMap((plant) => daysOf(plant)));
    const onDays = new Map<string, ReadonlyMap<string, DayOfDevice>>(
      await Promise.all(
        [...wanted].map(async (day) => [day, await energy.reports.onDay(caller, day)] as const),
      ),
    );
    const byDevice = Map.groupBy(open, ({ device }) => device);
    const isCalm = !open.some(isTold);
    return {
      at,
      plants: all
        .map((plant) => {
          const days = daysOf(plant).map(
            (day, i): KnownDay => ({ day, isToday: i === 0, known: onDays.get(day)?.get(plant.device) }),
          );
          return plantGlance(plant, { days, areCounted, incidents: byDevice.get(plant.device) ?? [] });
        })
        .toSorted(byNeed),
      calmSince: isCalm ? await incidents.lastEnd(caller) : null,
    };
  }
}

/** Today of a plant and the days before it, by its own clock. */
function daysOf({ day, zone }: PlantSummary): string[] {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
  // The middle of a day is in it, however clocks change.
  return Array.from({ length: DAYS }, (_, i) => format.format(day.from + DAY_MS / 2 - i * DAY_MS));
}
