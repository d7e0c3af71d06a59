/** The first part of the keys in a file: `deviceGroups` of `device-groups.texts.json`. */
export const nameOf = (path: string): string =>
  path.replace(/^.*\/|(\.texts)?\.json$/g, '').replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/** Texts under the names of their files. */
export function byKey(files: Record<string, object>): Record<string, object> {
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
