import { useState } from 'react';

/**
 * What an editor began with. It stays while somebody else saves another version, so that nothing that was written goes, until
 * `reopen` begins anew with what stands then; `round` is the key of the form.
 */
export function useOpened<T>(thing: T): { opened: T; round: number; reopen: (now: T) => void } {
  const [state, setState] = useState({ opened: thing, round: 0 });
  const reopen = (now: T) => setState(({ round }) => ({ opened: now, round: round + 1 }));
  return { ...state, reopen };
}
