import { kindOfPath, SCHEDULE_LIMITS } from '@albedo/contract/schedules/schedules.names';
import type {
  Rehearsal,
  rehearsedSchedule,
  ScheduleEntry,
} from '@albedo/contract/schedules/schedules.schema';
import { zoneOffsetMs } from '@albedo/contract/time/zoned-time';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { At, ControlStore, DeviceScheduleRow, SetpointRow } from './control.store.ts';
import type { ControlBook } from './control-book.ts';
import { needsDevice, type Problem, problemsOf } from './control-bounds.ts';
import type { ControlBy } from './control-by.ts';
import type { Curtailed } from './curtailed-energy.ts';
import type { Schedules } from './schedules.service.ts';
import { isStopOf } from './timeline.ts';

export interface RehearsalsOptions {
  store: ControlStore;
  book: ControlBook;
  schedules: Schedules;
  deviceAsks: Pick<DeviceAsks, 'ask'>;
  /** Of the site. */
  zoneOf: (workgroup: string, device: string) => Promise<string>;
  curtailed: (
    caller: Caller,
    at: At,
    of: { entries: readonly ScheduleEntry[]; until: number | null; ratedKw: number | null },
  ) => Promise<Curtailed>;
  now: () => number;
}

/** Dry runs: what a schedule would do, as far as it can be told without doing it. */
export class Rehearsals {
  readonly #options: RehearsalsOptions;

  constructor(options: RehearsalsOptions) {
    this.#options = options;
  }

  /** Throws `schedule.setpoint_unknown`, `schedule.setpoint_fixed`, and what asking the device throws. */
  async rehearse(
    caller: Caller,
    device: string,
    { setpoint: path, entries, until }: z.output<typeof rehearsedSchedule>,
    by: ControlBy,
    signal?: AbortSignal,
  ): Promise<Rehearsal> {
    const { store, book, schedules, zoneOf, curtailed, now } = this.#options;
    const { workgroup } = caller;
    const at = { workgroup, device, path };
    const setpoint = await store.setpoint(at);
    if (!setpoint) throw new AppError('schedule.setpoint_unknown', { path });
    if (setpoint.type === 'fixed') throw new AppError('schedule.setpoint_fixed', { path });
    const endsAt = until === null ? null : Date.parse(until);
    const [said, zone, held, needs] = await Promise.all([
      this.#ask(at, entries, signal),
      zoneOf(workgroup, device),
      book.holding(at, setpoint),
      schedules.needs(workgroup, by),
    ]);
    const rated = said.inverters.reduce((sum, { ratedKw }) => sum + (ratedKw ?? 0), 0);
    const estimate = await curtailed(caller, at, {
      entries,
      until: endsAt,
      ratedKw: rated > 0 ? rated : null,
    });
    const isStop = isStopOf(kindOfPath(path), held.line, { entries, endsAt }, now());
    const checked = { path, bounds: setpoint.bounds, entries, until: endsAt, zone, now: now() };
    const found = problemsOf({ ...checked, held: held.line, device: said });
    // A stop is held up by nothing.
    const problems = isStop ? found.map((one) => ({ ...one, blocks: false })) : found;
    return {
      inverters: said.inverters,
      zone,
      entries: said.entries
        .slice(0, SCHEDULE_LIMITS.rehearsed)
        .map((entry) => ({ ...entry, siteTime: siteTime(entry.datetime, zone) })),
      entryCount: entries.length,
      curtailedKwh: estimate.kwh,
      curtailedWhy: estimate.why,
      problems,
      isStop,
      needs: isStop ? 'nobody' : needs,
    };
  }

  /** What keeps a schedule from being applied. The device is asked only where bounds need it. */
  async problems(
    at: At,
    setpoint: SetpointRow,
    { entries, until }: Pick<DeviceScheduleRow, 'entries' | 'until'>,
  ): Promise<Problem[]> {
    const { book, zoneOf, now } = this.#options;
    const { line: held } = await book.holding(at, setpoint);
    const device = needsDevice(setpoint.bounds, entries, held) ? await this.#ask(at, entries) : null;
    const zone = await zoneOf(at.workgroup, at.device);
    const { path } = at;
    const { bounds } = setpoint;
    const of = { path, bounds, entries, until: until?.getTime() ?? null, held, zone, now: now(), device };
    return problemsOf(of).filter(({ blocks }) => blocks);
  }

  #ask({ device, path }: At, entries: readonly ScheduleEntry[], signal?: AbortSignal) {
    const own = entries.map(({ datetime, value }) => ({ datetime, value }));
    return this.#options.deviceAsks.ask(
      device,
      'schedules.rehearse',
      { path, entries: own },
      signal ? { signal } : {},
    );
  }
}

/** As the clocks of the site show it, with their offset, such as `2026-10-25T02:30:00+01:00`. */
export function siteTime(datetime: string, zone: string): string {
  const at = Date.parse(datetime);
  const offset = zoneOffsetMs(at, zone);
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const two = (number: number) => String(number).padStart(2, '0');
  const wall = new Date(at + offset).toISOString().slice(0, 19);
  return `${wall}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
