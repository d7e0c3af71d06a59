const LOOK_MS = 5000;
const JUMP_MS = 60_000;

/** Notices a clock that was set: compares it with the time that has really passed. */
export class ClockWatch {
  readonly #onJump: (message: string) => void;
  readonly #wall: () => number;
  readonly #steady: () => number;
  #last: { wall: number; steady: number };
  #timer: NodeJS.Timeout | null = null;

  constructor(onJump: (message: string) => void, wall = Date.now, steady = () => performance.now()) {
    this.#onJump = onJump;
    this.#wall = wall;
    this.#steady = steady;
    this.#last = { wall: wall(), steady: steady() };
  }

  /** `previousWallAt` is what the clock showed when the agent last wrote to disk before this start. */
  start(previousWallAt: number): void {
    const backMs = previousWallAt - this.#wall();
    if (backMs > JUMP_MS) {
      this.#onJump(
        `the clock of the machine is ${duration(backMs)} behind what it was before the agent stopped`,
      );
    }
    this.#timer = setInterval(() => this.look(), LOOK_MS);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  look(): void {
    const now = { wall: this.#wall(), steady: this.#steady() };
    const jumpMs = now.wall - this.#last.wall - (now.steady - this.#last.steady);
    this.#last = now;
    if (Math.abs(jumpMs) < JUMP_MS) return;
    const way = jumpMs < 0 ? 'back' : 'forward';
    this.#onJump(`the clock of the machine jumped ${way} by ${duration(Math.abs(jumpMs))}`);
  }
}

function duration(ms: number): string {
  const steps: [number, string][] = [
    [86_400_000, 'days'],
    [3_600_000, 'hours'],
    [60_000, 'minutes'],
  ];
  const [unitMs, unit] = steps.find(([step]) => ms >= 2 * step) ?? [1000, 'seconds'];
  return `${Math.round(ms / unitMs)} ${unit}`;
}
