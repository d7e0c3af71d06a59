/** What somebody looked at and copied, by the beginnings of its names in the storage of the browser. */
const OF_PERSON = ['albedo.recent.', 'albedo.board-clipboard', 'albedo.plants.'];

/**
 * Takes what a person left in this browser. Unsaved dashboards stay for them, also after a sign-out: they have layouts,
 * titles and names, and no values.
 */
export function forgetPerson(): void {
  try {
    for (const key of Object.keys(localStorage))
      if (OF_PERSON.some((one) => key.startsWith(one))) localStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
