/** Texts under the names of their files, `device-groups.texts.json` as `deviceGroups`. */
export function byKey(files: Record<string, object>): Record<string, object> {
  const nameOf = (path: string) =>
    path.replace(/^.*\/|(\.texts)?\.json$/g, '').replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(files).map(([path, texts]) => [nameOf(path), texts]));
}
