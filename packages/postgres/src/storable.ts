/** What PostgreSQL refuses in a text, as `JSON.stringify` writes it; other escapes are there to be passed over. */
const ESCAPE = /\\(?:(u0000)|(ud[89a-f][0-9a-f]{2})|.)/g;
const REFUSED = /\\u(?:0000|d[89a-f])/i;

/** A text that PostgreSQL takes, and every store of ours: without NUL, and without halves of surrogate pairs. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '');

/**
 * JSON that PostgreSQL takes as `jsonb`, whatever texts and keys are in it. What one device or person sends must not make a
 * statement fail that saves something of others too.
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!REFUSED.test(text)) return text;
  return text.replace(ESCAPE, (whole, nul, half) => {
    if (nul) return '';
    return half ? '\ufffd' : whole;
  });
}

/** A message as `JSON.parse` gives it, with nothing in its texts and keys that a store refuses. Throws what that throws. */
export function parseStorable(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return REFUSED.test(text) ? JSON.parse(storableJson(value)) : value;
}
