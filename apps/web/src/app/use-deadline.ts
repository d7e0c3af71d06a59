import { useEffect, useEffectEvent } from 'react';

/** Calls `onOver` once when the instant (epoch ms) has come; null waits for nothing. */
export function useDeadline(at: number | null, onOver: () => void): void {
  const handleOver = useEffectEvent(onOver);
  useEffect(() => {
    if (at === null) return;
    const timer = setTimeout(() => handleOver(), Math.max(0, at - Date.now()));
    return () => clearTimeout(timer);
  }, [at]);
}
