/** The fields of a form that was sent as text; one that comes several times is a list. */
export function formOf(text: string): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    // A name from outside is never the prototype.
    Object.defineProperty(fields, name, {
      value: known === undefined ? value : [known, value].flat(),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return fields;
}
