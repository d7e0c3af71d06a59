import type { ShellRecording } from '@albedo/contract/shells/shells.schema';
import { bytesOf, type TerminalScreen } from './terminal-screen.ts';

type Part = ShellRecording['parts'][number];

/** Nobody watches for longer how nothing happens, ms. */
const PAUSE_MS = 1500;

/** Plays a recording on a screen: in the time that it took, but for long pauses. */
export class Player {
  readonly #parts: readonly Part[];
  readonly #screen: Pick<TerminalScreen, 'show' | 'resize' | 'reset'>;
  readonly #told: (atMs: number, isPlaying: boolean) => void;
  /** The part that comes next. */
  #next = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `told` hears how far it is, ms, and whether it goes on. */
  constructor(
    parts: readonly Part[],
    screen: Pick<TerminalScreen, 'show' | 'resize' | 'reset'>,
    told: (atMs: number, isPlaying: boolean) => void,
  ) {
    this.#parts = parts;
    this.#screen = screen;
    this.#told = told;
  }

  /** Goes on; from the start once it was over. */
  play(): void {
    if (this.#next >= this.#parts.length) this.#rewind();
    this.#step();
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.#told(this.#atMs, false);
  }

  /** Shows how it was then and goes on from there, ms. */
  goTo(atMs: number): void {
    clearTimeout(this.#timer);
    this.#rewind();
    while ((this.#parts[this.#next]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs) this.#show();
    this.#later();
  }

  get #atMs(): number {
    return this.#parts[this.#next - 1]?.atMs ?? 0;
  }

  #rewind(): void {
    this.#screen.reset();
    this.#next = 0;
  }

  #step(): void {
    clearTimeout(this.#timer);
    this.#show();
    this.#later();
  }

  #later(): void {
    const part = this.#parts[this.#next];
    this.#told(this.#atMs, part !== undefined);
    if (part) this.#timer = setTimeout(() => this.#step(), Math.min(PAUSE_MS, part.atMs - this.#atMs));
  }

  #show(): void {
    const part = this.#parts[this.#next++];
    if (part?.size) this.#screen.resize(part.size.cols, part.size.rows);
    if (part?.output) this.#screen.show(bytesOf(part.output));
  }
}
