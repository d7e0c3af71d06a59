/** When something is due next: strictly after `now`, epoch ms. */
export type NextAt = (now: number) => number;

/** Every `intervalMs`, counted from midnight of the machine's own time zone so that machines agree on the moments. */
export function everyAligned(intervalMs: number): NextAt {
  return (now) => {
    const offsetMs = new Date(now).getTimezoneOffset() * 60_000;
    return Math.floor((now - offsetMs) / intervalMs + 1) * intervalMs + offsetMs;
  };
}

/** "M": at that minute of each hour; "H:M": at that time of each day, by the machine's own time zone. */
export function atClock(text: string): NextAt {
  const [minute = 0, hour] = text.split(':').map(Number).reverse();
  return (now) => {
    const next = new Date(now);
    next.setSeconds(0, 0);
    if (hour === undefined) {
      next.setMinutes(minute);
      if (next.getTime() <= now) next.setTime(next.getTime() + 3_600_000);
      return next.getTime();
    }
    next.setHours(hour, minute);
    if (next.getTime() <= now) next.setDate(next.getDate() + 1);
    return next.getTime();
  };
}

/** Every `intervalMs` from `startedAt` on, epoch ms. */
export function everyFrom(startedAt: number, intervalMs: number): NextAt {
  return (now) => startedAt + Math.floor((now - startedAt) / intervalMs + 1) * intervalMs;
}

const LOOK_MS = 30_000;
/** A due time further away than any schedule allows means that the clock went back. */
const FARTHEST_MS = 86_400_000 + 3_600_000;

/** Calls `work` at each due time. Looks at the clock at least every 30 s, so a clock that jumps delays it by no more. */
export class ClockTimer {
  readonly #nextAt: NextAt;
  readonly #work: () => void;
  #due = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(nextAt: NextAt, work: () => void) {
    this.#nextAt = nextAt;
    this.#work = work;
  }

  start(): void {
    this.#due = this.#nextAt(Date.now());
    this.#wait();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #wait(): void {
    const left = Math.max(0, Math.min(this.#due - Date.now(), LOOK_MS));
    this.#timer = setTimeout(() => this.#look(), left);
  }

  #look(): void {
    const now = Date.now();
    if (now >= this.#due) {
      this.#due = this.#nextAt(now);
      this.#work();
    } else if (this.#due - now > FARTHEST_MS) {
      this.#due = this.#nextAt(now);
    }
    this.#wait();
  }
}
