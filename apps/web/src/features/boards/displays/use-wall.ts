import { useEffect } from 'react';
import { useUpdateState } from '../../../app/update.ts';

const RELOADED_KEY = 'albedo.display.reloaded';
/** A screen that got an old page once more, from a cache on the way, does not reload without a pause, ms. */
const PAUSE_MS = 60_000;

/** Keeps a screen on a wall going: it does not go dark, and takes up a new version as soon as the server has one. */
export function useWall(): void {
  const update = useUpdateState();
  useEffect(() => {
    if (update === 'current') return;
    const reload = () => {
      sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
      window.location.reload();
    };
    const sinceMs = Date.now() - Number(sessionStorage.getItem(RELOADED_KEY) ?? 0);
    if (sinceMs > PAUSE_MS) return reload();
    const timer = setTimeout(reload, PAUSE_MS - sinceMs);
    return () => clearTimeout(timer);
  }, [update]);
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    const stay = () => {
      if (document.hidden) return;
      // Where the browser refuses, the operating system decides as ever.
      navigator.wakeLock
        ?.request('screen')
        .then((given) => {
          lock = given;
        })
        .catch(() => {});
    };
    stay();
    document.addEventListener('visibilitychange', stay);
    return () => {
      document.removeEventListener('visibilitychange', stay);
      void lock?.release();
    };
  }, []);
}
