/** A key that was pressed so long ago is not acted on any more, ms. */
const KEPT_MS = 5000;

let early: KeyboardEvent[] = [];

const keep = (event: KeyboardEvent): void => {
  early.push(event);
};

/** Remembers which keys are pressed until what acts on them is loaded, which comes after the first screen. */
export function keepEarlyKeys(): void {
  window.addEventListener('keydown', keep);
}

/** The keys that were pressed a moment ago; none is remembered from now on. */
export function takeEarlyKeys(): KeyboardEvent[] {
  window.removeEventListener('keydown', keep);
  const taken = early.filter(({ timeStamp }) => performance.now() - timeStamp < KEPT_MS);
  early = [];
  return taken;
}
