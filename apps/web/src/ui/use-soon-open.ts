import { useEffect, useState } from 'react';

/** `isOpen`, a moment later: what comes with its code once it is opened is there before, and moves into place as it always does. */
export function useSoonOpen(isOpen: boolean): boolean {
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(isOpen), [isOpen]);
  return isShown;
}
