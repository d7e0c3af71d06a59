import { onPersonGone } from './session.ts';

/** What somebody looked at and copied, by the beginnings of its names in the storage of the browser. */
const OF_PERSON = ['albedo.recent.', 'albedo.board-clipboard', 'albedo.plants.'];
/** What somebody began and did not save: layouts of dashboards, with titles and names, and no values. */
const UNSAVED = 'albedo.board-draft.';

/** Whoever signs out leaves nothing here, unsaved work included. */
export const forgetUnsaved = (): void => forget([UNSAVED]);

// A session that only ended leaves unsaved work for its person, who comes back to it.
onPersonGone(() => forget(OF_PERSON));

function forget(beginnings: readonly string[]): void {
  try {
    for (const key of Object.keys(localStorage))
      if (beginnings.some((one) => key.startsWith(one))) localStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
