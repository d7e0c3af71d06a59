/** Kept for all tabs of the browser: whoever works in one is there in the others too. */
const KEY = 'albedo.active';
/** An input is told to the other tabs this often, ms. */
const TELL_EVERY_MS = 5000;
/** Somebody who touched nothing for so long does not ask for what the screens refresh, ms. */
const BY_HAND_MS = 60_000;

const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
let lastAt = Date.now();
let toldAt = 0;

/** Follows the hand of the person; the answer stops it. */
export function followActivity(): () => void {
  const stop = new AbortController();
  noteActivity();
  for (const input of INPUTS)
    window.addEventListener(input, noteActivity, { signal: stop.signal, passive: true, capture: true });
  return () => stop.abort();
}

/** The person did something now. */
export function noteActivity(): void {
  lastAt = Date.now();
  if (lastAt - toldAt < TELL_EVERY_MS) return;
  toldAt = lastAt;
  localStorage.setItem(KEY, String(lastAt));
}

/** For how long nobody has touched the app in any tab, ms. */
export const idleMs = (): number => Date.now() - Math.max(lastAt, Number(localStorage.getItem(KEY) ?? 0));

/** Whether what is asked now is asked by the screens alone. */
export const isIdle = (): boolean => idleMs() > BY_HAND_MS;
