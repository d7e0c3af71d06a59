import type { ErrorName } from '@albedo/contract/failures/errors';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../call.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { isSame } from './same.ts';

const NOT_NEWEST: ErrorName = 'history.not_newest';

interface Versioned {
  version: number;
}

interface SaveOver<T extends object, S extends Versioned> {
  /** What the editor began with. */
  opened: S;
  /** What of a thing the editor writes. */
  contentOf: (thing: S) => T;
  /** Saves over a version, and only over that one. */
  send: (content: T, version: number) => Promise<S>;
  /** The thing as it is now. */
  newest: () => Promise<S>;
  /** Who saved it last, where that is kept. */
  savedBy?: () => Promise<string | null>;
  /** They want what the other one made, and their own no more. */
  onTheirs: (thing: S) => void;
}

interface Asked<T> {
  base: T;
  yours: T;
  theirs: T;
  by: string | null;
  answer: (chosen: T | 'theirs' | null) => void;
}

/**
 * A save that undoes nobody's: where somebody saved another version meanwhile, both are shown in `dialog`, and what is chosen
 * there is saved over the newest. `save` answers null where nothing of the person's was saved after all.
 */
export function useSaveOver<T extends object, S extends Versioned>(of: SaveOver<T, S>) {
  const [asked, setAsked] = useState<Asked<T> | null>(null);
  const ask = (about: Omit<Asked<T>, 'answer'>) =>
    new Promise<T | 'theirs' | null>((resolve) => {
      setAsked({
        ...about,
        answer: (chosen) => {
          setAsked(null);
          resolve(chosen);
        },
      });
    });

  async function save(content: T): Promise<S | null> {
    let base = of.opened;
    for (let sent = content; ; ) {
      try {
        return await of.send(sent, base.version);
      } catch (error) {
        if (!(error instanceof ApiError) || error.error !== NOT_NEWEST) throw error;
      }
      const [theirs, by] = await Promise.all([of.newest(), of.savedBy?.() ?? null]);
      // The client repeats a save whose answer it never got.
      if (isSame(of.contentOf(theirs), sent)) return theirs;
      const both = { base: of.contentOf(base), theirs: of.contentOf(theirs) };
      const chosen = await ask({ ...both, yours: sent, by });
      if (chosen === 'theirs') of.onTheirs(theirs);
      if (chosen === 'theirs' || chosen === null) return null;
      [sent, base] = [chosen, theirs];
    }
  }

  const dialog: ReactNode = asked ? (
    <ConflictDialog
      {...asked}
      onTake={(content) => asked.answer(content)}
      onTheirs={() => asked.answer('theirs')}
      onClose={() => asked.answer(null)}
    />
  ) : null;
  return { save, dialog };
}
