import { useState } from 'react';

/** What of a list is open, by key: as it is by itself, until somebody opens or closes it by hand. */
export interface Opened {
  isOpen: (key: string, byItself: boolean) => boolean;
  set: (keys: readonly string[], isOpen: boolean) => void;
  /** All is as it is by itself again. */
  forget: () => void;
}

export function useOpened(): Opened {
  const [byHand, setByHand] = useState<ReadonlyMap<string, boolean>>(new Map());
  return {
    isOpen: (key, byItself) => byHand.get(key) ?? byItself,
    set: (keys, isOpen) => setByHand(new Map([...byHand, ...keys.map((key) => [key, isOpen] as const)])),
    forget: () => setByHand(new Map()),
  };
}

/** What is looked for in a tree, and what is open in it: a new search begins with what it opens itself. */
export function useTreeSearch() {
  const [search, setSearch] = useState('');
  const opened = useOpened();
  const onSearch = (text: string) => {
    setSearch(text);
    opened.forget();
  };
  return { search, opened, onSearch };
}
