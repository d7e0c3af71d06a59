import { useEffect, useState } from 'react';

/** Frames a second. */
export const SPEEDS = [0.5, 1, 2, 5, 10] as const;

export interface Player {
  at: number;
  isPlaying: boolean;
  speed: number;
  /** Goes to a frame; one beyond the ends is the one at the end. */
  go: (at: number) => void;
  setPlaying: (isPlaying: boolean) => void;
  setSpeed: (speed: number) => void;
}

/** Plays frames one after the other, each only once it can be seen, and stops at the last one. */
export function usePlayer(
  count: number,
  first: number,
  isReady: (at: number) => boolean,
  plays: boolean,
): Player {
  const [at, setAt] = useState(first);
  const [isPlaying, setPlaying] = useState(plays);
  const [speed, setSpeed] = useState<number>(2);
  const shown = Math.max(0, Math.min(at, count - 1));
  const isShown = isReady(shown);
  useEffect(() => {
    if (!isPlaying || !isShown) return;
    const timer = setTimeout(() => {
      if (shown >= count - 1) setPlaying(false);
      else setAt(shown + 1);
    }, 1000 / speed);
    return () => clearTimeout(timer);
  }, [isPlaying, isShown, shown, count, speed]);
  return {
    at: shown,
    isPlaying,
    speed,
    go: (to) => setAt(Math.max(0, Math.min(to, count - 1))),
    setPlaying: (wanted) => {
      // Again from the start, where it had come to the end.
      if (wanted && shown >= count - 1) setAt(0);
      setPlaying(wanted);
    },
    setSpeed,
  };
}
