import { useEffect, useState } from 'react';
import { loadAhead } from '../ui/load-ahead.ts';

/** What could not be loaded is tried again after this time, ms: without a network, or while a release is started. */
const LOAD_AGAIN_MS = 10_000;

/** True once what nobody waits for is loaded, from when it is due. Where that fails, the page stays as it is, and it is tried again. */
export function useLoadedAhead(load: () => Promise<unknown>, isDue = true): boolean {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    if (!isDue) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    function attempt(): void {
      loadAhead(load).then(
        () => {
          if (!isGone) setLoaded(true);
        },
        () => {
          if (!isGone) timer = setTimeout(attempt, LOAD_AGAIN_MS);
        },
      );
    }
    attempt();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [load, isDue]);
  return isLoaded;
}
