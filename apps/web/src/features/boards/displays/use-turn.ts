import { useEffect, useState } from 'react';

/** Which of so many things is shown, each for so long; a new `key` begins with the first one. */
export function useTurn(
  count: number,
  {
    intervalS,
    isRandom = false,
    isHeld = false,
  }: { intervalS: number; isRandom?: boolean; isHeld?: boolean },
): [at: number, show: (at: number) => void] {
  const [at, setAt] = useState(0);
  useEffect(() => {
    if (count < 2 || isHeld || intervalS <= 0) return;
    const timer = setInterval(() => setAt((old) => nextOf(old, count, isRandom)), intervalS * 1000);
    return () => clearInterval(timer);
  }, [count, intervalS, isRandom, isHeld]);
  return [Math.min(at, Math.max(0, count - 1)), setAt];
}

/** The next one, or by chance any other one. */
export function nextOf(at: number, count: number, isRandom: boolean): number {
  if (!isRandom || count < 3) return (at + 1) % count;
  return (at + 1 + Math.floor(Math.random() * (count - 1))) % count;
}
