import { useState } from 'react';

interface Kept {
  key: string;
  places: ReadonlyMap<string, number>;
}

/**
 * Rows that were sorted by values which change all the time keep their places: nothing jumps from under the pointer.
 * They are sorted anew when somebody asks for it, when the key (order and search) changes, and when rows are added.
 */
export function useKeptOrder<R extends { id: string }>(sorted: readonly R[], key: string, isKept: boolean) {
  const [kept, setKept] = useState<Kept | null>(null);
  const isKnown =
    isKept && kept !== null && kept.key === key && sorted.every(({ id }) => kept.places.has(id));
  const renew = () => setKept({ key, places: new Map(sorted.map(({ id }, place) => [id, place])) });
  if (isKept && !isKnown && sorted.length > 0) renew();
  if (!isKnown) return { rows: sorted, isOutdated: false, renew };
  const placeOf = ({ id }: R) => kept.places.get(id) ?? 0;
  const isOutdated = sorted.some((row, i) => i > 0 && placeOf(row) < placeOf(sorted[i - 1] as R));
  return {
    rows: isOutdated ? [...sorted].sort((a, b) => placeOf(a) - placeOf(b)) : sorted,
    isOutdated,
    renew,
  };
}
