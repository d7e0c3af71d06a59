import { useEffect, useState } from 'react';

/** `isOpen`, one render later: a component whose code loads on opening mounts closed first, so its transition runs. */
export function useSoonOpen(isOpen: boolean): boolean {
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(isOpen), [isOpen]);
  return isShown;
}
