import { type ComponentType, useEffect, useState } from 'react';
import { loadAhead } from '../ui/load-ahead.ts';
import { useUpdateState } from './update.ts';

/** The prompt is loaded this long after the start, ms: what the first screen needs comes first. */
const LOAD_AFTER_MS = 1000;
/** And again where that failed, ms: the server is away while a release is started. */
const LOAD_AGAIN_MS = 10_000;

/** Says on every page, signed in or not, that a newer web app is served than the one that runs. */
export function UpdateNotice() {
  const state = useUpdateState();
  const [Prompt, setPrompt] = useState<ComponentType | null>(null);
  const isDue = state !== 'current';
  useEffect(() => {
    let timer = setTimeout(load, isDue ? 0 : LOAD_AFTER_MS);
    function load() {
      loadAhead(() => import('./update-prompt.tsx')).then(
        ({ UpdatePrompt }) => setPrompt(() => UpdatePrompt),
        () => {
          timer = setTimeout(load, LOAD_AGAIN_MS);
        },
      );
    }
    return () => clearTimeout(timer);
  }, [isDue]);
  return Prompt && isDue ? <Prompt /> : null;
}
