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
/** An end that was asked for a moment ago is given again, ms: every open browser asks. */
const END_FRESH_MS = 10_000;
const ENDS_KEPT = 500;

export interface GlanceParts {
  plants: Pick<Plants, 'list'>;
  incidents: Pick<Incidents, 'active' | 'lastEnd'>;
  energy: Pick<Energy, 'reports'>;
  workgroups: Pick<Workgroups, 'hasAddon'>;
  now?: () => number;
}

/** What somebody has to know who looks for ten seconds: how plants do, what is wrong, and what it costs. */
export class GlanceService {
  readonly #parts: GlanceParts;
  readonly #ends = new Map<string, { at: number; end: Promise<number | null> }>();

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
      calmSince: isCalm ? await this.#lastEnd(caller) : null,
    };
  }

  #lastEnd(caller: Caller): Promise<number | null> {
    const now = (this.#parts.now ?? Date.now)();
    const key = JSON.stringify([caller.workgroup, caller.devices.version()]);
    const known = this.#ends.get(key);
    if (known && now - known.at < END_FRESH_MS) return known.end;
    if (this.#ends.size >= ENDS_KEPT) this.#ends.clear();
    const end = this.#parts.incidents.lastEnd(caller);
    this.#ends.set(key, { at: now, end });
    end.catch(() => this.#ends.delete(key));
    return end;
  }
}

/** Today of a plant and the days before it, by its own clock. */
function daysOf({ day, zone }: PlantSummary): string[] {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
  // The middle of a day is in it, however clocks change.
  return Array.from({ length: DAYS }, (_, i) => format.format(day.from + DAY_MS / 2 - i * DAY_MS));
}
