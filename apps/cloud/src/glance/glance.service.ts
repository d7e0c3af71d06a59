import type { Glance } from '@albedo/contract/glance/glance.schema';
import type { PlantSummary } from '@albedo/contract/plants/plants.schema';
import type { Caller } from '../access/caller.ts';
import type { Energy } from '../energy/energy.service.ts';
import type { DayOfDevice } from '../energy/energy-reports.service.ts';
import type { Incidents } from '../incidents/incidents.service.ts';
import type { Plants } from '../plants/plants.service.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { byNeed, isTold, type PlantDay, plantGlance } from './plant-glance.ts';

/** How many days are read, including today. */
const DAYS = 2;
const DAY_MS = 86_400_000;
/** How long the end of the last incident is cached, ms: every open browser asks for it. */
const END_FRESH_MS = 10_000;
const ENDS_KEPT = 500;

export interface GlanceParts {
  plants: Pick<Plants, 'list'>;
  incidents: Pick<Incidents, 'active' | 'lastEnd'>;
  energy: Pick<Energy, 'reports'>;
  workgroups: Pick<Workgroups, 'hasAddon'>;
  now?: () => number;
}

/** What people need to see in ten seconds: how the plants are doing, what is wrong, and what it costs. */
export class GlanceService {
  readonly #parts: GlanceParts;
  readonly #ends = new Map<string, { at: number; end: Promise<number | null> }>();

  constructor(parts: GlanceParts) {
    this.#parts = parts;
  }

  /** The plants that the caller may see, worst first. */
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
            (day, i): PlantDay => ({ day, isToday: i === 0, energy: onDays.get(day)?.get(plant.device) }),
          );
          return plantGlance(plant, { days, areCounted, incidents: byDevice.get(plant.device) ?? [] });
        })
        .toSorted(byNeed),
      calmSince: isCalm ? await this.#lastEnd(caller) : null,
    };
  }

  #lastEnd(caller: Caller): Promise<number | null> {
    const now = (this.#parts.now ?? Date.now)();
    const key = JSON.stringify([caller.workgroup, caller.devices.version()]);
    const recent = this.#ends.get(key);
    if (recent && now - recent.at < END_FRESH_MS) return recent.end;
    if (this.#ends.size >= ENDS_KEPT) this.#ends.clear();
    const end = this.#parts.incidents.lastEnd(caller);
    this.#ends.set(key, { at: now, end });
    end.catch(() => this.#ends.delete(key));
    return end;
  }
}

/** Today and the days before, in the time zone of the plant. */
function daysOf({ day, zone }: PlantSummary): string[] {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
  // Noon is safe from changes of the clock.
  return Array.from({ length: DAYS }, (_, i) => format.format(day.from + DAY_MS / 2 - i * DAY_MS));
}
