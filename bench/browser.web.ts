import { type Browser, chromium } from '@playwright/test';

/** Chromium that asks nothing of the network by itself; `more` switches. */
export const openBrowser = (...more: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', ...more],
  });

/** Runs in the page: notes when each frame is drawn, until `stopFrames`. */
export function startFrames(): void {
  const times: number[] = [];
  Object.assign(window, { frameTimes: times });
  const note = (at: number) => {
    times.push(at);
    if ((window as unknown as { frameTimes: number[] }).frameTimes === times) requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
}

/** Runs in the page: how long each frame took, ms. */
export function stopFrames(): number[] {
  const marks = window as unknown as { frameTimes: number[] };
  const times = marks.frameTimes;
  marks.frameTimes = [];
  return times.slice(1).map((at, index) => at - (times[index] ?? 0));
}
