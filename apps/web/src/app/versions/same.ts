/** Whether two values of JSON say the same, in whatever order their keys stand. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  const of = (value: object, name: string) => (value as Record<string, unknown>)[name];
  return [...names].every((name) => isSame(of(a, name), of(b, name)));
}
