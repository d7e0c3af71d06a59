import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETPOINT_KINDS, type Setpoint, type SetpointKind } from '@albedo/contract/schedules/setpoints';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import type { ProviderConfig } from './config.ts';
import { heldSince, parseSchedule, type ScheduleEntry, scheduledAt } from './schedule.ts';

/** Where the schedule of a path lies. */
export const scheduleFile = (folder: string, provider: string, kind: SetpointKind): string =>
  join(folder, provider, `${kind}.csv`);

interface KnownFile {
  text: string | null;
  sha256: string | null;
  entries: ScheduleEntry[];
  /** Why the file that is there is not obeyed; null when it is. */
  fault: string | null;
}

/** One source of setpoints. */
export class Provider {
  readonly config: ProviderConfig;
  readonly #folder: string;
  readonly #files = new Map<SetpointKind, KnownFile>();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(config: ProviderConfig, folder: string) {
    this.config = config;
    this.#folder = folder;
  }

  /**
   * Reads its files anew where it is time to, or something has changed. A file with a fault leaves what held before it; one that is gone ends it.
   * Answers what is wrong with them.
   */
  refresh(now: number, isChanged = false): { kind: SetpointKind; message: string }[] {
    const { type, read_interval, name } = this.config;
    if (type === 'fixed') return [];
    const isDue = isChanged || Math.abs(now - this.#readAt) >= read_interval;
    if (isDue) this.#readAt = now;
    if (isDue)
      for (const kind of SETPOINT_KINDS)
        this.#files.set(kind, readFile(this.#files.get(kind), kind, this.#folder, name));
    return [...this.#files].flatMap(([kind, { fault }]) =>
      fault === null ? [] : [{ kind, message: fault }],
    );
  }

  /** What it says at an instant, whether it is obeyed or not. */
  value(kind: SetpointKind, at: number): Setpoint | null {
    if (this.config.type === 'fixed') return this.config[kind] ?? null;
    return scheduledAt(this.#files.get(kind)?.entries ?? [], at);
  }

  /** Since when it has said what it says at an instant, epoch ms; null for what does not begin. */
  since(kind: SetpointKind, at: number): number | null {
    return heldSince(this.#files.get(kind)?.entries ?? [], at);
  }

  /** SHA-256 of its file, as it was read last; null where there is none. */
  fileHash(kind: SetpointKind): string | null {
    return this.#files.get(kind)?.sha256 ?? null;
  }

  fault(kind: SetpointKind): string | null {
    return this.#files.get(kind)?.fault ?? null;
  }

  isEnabled(kind: SetpointKind): boolean {
    const { enable_active_power, enable_power_factor, enable_reactive_power } = this.config;
    if (kind === 'setpoint_activepower') return enable_active_power;
    return kind === 'setpoint_cosphi' ? enable_power_factor : enable_reactive_power;
  }
}

export interface Chosen {
  provider: string;
  setpoint: Setpoint;
  since: number | null;
}

/**
 * What is obeyed: of each kind the value of the first provider that has one and is switched on. Cos phi and reactive
 * power exclude each other: the one of the earlier provider counts, and of one provider its cos phi.
 */
export function choose(providers: readonly Provider[], at: number): Map<SetpointKind, Chosen> {
  const chosen = new Map<SetpointKind, Chosen>();
  for (const provider of providers) {
    for (const kind of SETPOINT_KINDS) {
      const setpoint = provider.isEnabled(kind) ? provider.value(kind, at) : null;
      const isTaken =
        kind === 'setpoint_activepower'
          ? chosen.has(kind)
          : chosen.has('setpoint_cosphi') || chosen.has('setpoint_reactivepower');
      if (setpoint && !isTaken)
        chosen.set(kind, { provider: provider.config.name, setpoint, since: provider.since(kind, at) });
    }
  }
  return chosen;
}

function readFile(known: KnownFile | undefined, kind: SetpointKind, folder: string, name: string): KnownFile {
  const path = scheduleFile(folder, name, kind);
  let text: string | null = null;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      return { text: null, sha256: null, entries: known?.entries ?? [], fault: messageOf(error) };
  }
  if (known && known.text === text) return known;
  if (text === null) return { text, sha256: null, entries: [], fault: null };
  const sha256 = createHash('sha256').update(text).digest('hex');
  try {
    return { text, sha256, entries: parseSchedule(kind, text, path), fault: null };
  } catch (error) {
    return { text, sha256, entries: known?.entries ?? [], fault: messageOf(error) };
  }
}
