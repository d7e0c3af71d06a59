import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import classes from './revealed.module.css';

/** For the class of what comes into sight: the foot of a dialog stays over what scrolls. */
export const revealedClass = classes.revealed ?? '';

/** Has an element come into sight each time that there is something else to see in it; null and undefined are nothing. */
export function useRevealed<E extends HTMLElement>(of: unknown): RefObject<E | null> {
  const ref = useRef<E>(null);
  useEffect(() => {
    if (of !== null && of !== undefined) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [of]);
  return ref;
}

/** An answer that stands below what it was asked with. */
export function Revealed({ of, children }: { of: object; children: ReactNode }) {
  const ref = useRevealed<HTMLDivElement>(of);
  return (
    <div ref={ref} className={revealedClass}>
      {children}
    </div>
  );
}
