import { smoothNoise } from '../weather/noise.ts';
import type { LoadProfile } from './plants.ts';

const HOUR_MS = 3_600_000;

/** Local clock of a time zone as an offset; asked once for each hour, since asking is slow. */
export class LocalClock {
  readonly #format: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, number>();

  constructor(timezone: string) {
    this.#format = new Intl.DateTimeFormat('en-GB', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  }

  /** What to add to an epoch so that its UTC fields read as local time, ms. */
  offsetMs(at: number): number {
    const hour = Math.floor(at / HOUR_MS);
    const known = this.#offsets.get(hour);
    if (known !== undefined) return known;
    const part = Object.fromEntries(
      this.#format.formatToParts(hour * HOUR_MS).map((one) => [one.type, one.value]),
    );
    const local = Date.UTC(
      Number(part.year),
      Number(part.month) - 1,
      Number(part.day),
      Number(part.hour),
      Number(part.minute),
    );
    const offset = local - hour * HOUR_MS;
    if (this.#offsets.size > 20_000) this.#offsets.clear();
    this.#offsets.set(hour, offset);
    return offset;
  }
}

/** What the site itself draws, W: a base, a working day with soft edges, and machines that come and go. */
export function siteLoadW(seed: number, load: LoadProfile, at: number, offsetMs: number): number {
  const local = new Date(at + offsetMs);
  const hour = local.getUTCHours() + local.getUTCMinutes() / 60 + local.getUTCSeconds() / 3600;
  const weekend = local.getUTCDay() === 0 || local.getUTCDay() === 6;
  const open = ramp(hour - load.opensAtHour) * ramp(load.closesAtHour - hour);
  const busy =
    0.72 + 0.28 * Math.sin((Math.PI * (hour - load.opensAtHour)) / (load.closesAtHour - load.opensAtHour));
  const machines =
    0.8 + 0.25 * smoothNoise(seed, at, 0.55 * HOUR_MS) + 0.15 * (smoothNoise(seed + 1, at, 70_000) - 0.5);
  const base = load.baseW * (0.93 + 0.14 * smoothNoise(seed + 2, at, 0.3 * HOUR_MS));
  return base + load.dayW * open * busy * machines * (weekend ? load.weekend : 1);
}

/** From 0 to 1 within an hour and a half around zero. */
function ramp(hours: number): number {
  const x = Math.min(1, Math.max(0, hours / 1.5 + 0.5));
  return x * x * (3 - 2 * x);
}
