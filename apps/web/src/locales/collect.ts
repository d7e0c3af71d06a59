/** Texts under the names of their files, `device-groups.texts.json` as `deviceGroups`. */
export function byKey(files: Record<string, object>): Record<string, object> {
  const nameOf = (path: string) =>
    path.replace(/^.*\/|(\.texts)?\.json$/g, '').replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(files).map(([path, texts]) => [nameOf(path), texts]));
}

/** Words for failures by the two parts of their names, `{ device: { offline: '…' } }`. */
export type ErrorWords = Record<string, Record<string, string>>;

/** The words of all in one; several may have some of the same group. */
export function merged(all: readonly ErrorWords[]): ErrorWords {
  const words: ErrorWords = {};
  for (const [group, of] of all.flatMap(Object.entries<Record<string, string>>))
    words[group] = { ...words[group], ...of };
  return words;
}
