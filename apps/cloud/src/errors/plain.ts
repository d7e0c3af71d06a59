import { invalid } from './request-issues.ts';

/** Levels of objects and lists in one another; a thing that people made has a handful. */
const DEEPEST = 40;

/** Characters of a path that an answer tells: the way into something that deep is long. */
const TOLD = 80;

/** A value with where it stands. */
interface Place {
  value: unknown;
  depth: number;
  key: string;
  above: Place | null;
}

/**
 * Throws `request.invalid` for what no store can keep and no function of ours can walk through: a text with the
 * character NUL or with half of a character, numbers beyond all doubles, and values nested deeper than 40 levels.
 */
export function demandPlain(value: unknown): void {
  const left: Place[] = [{ value, depth: 0, key: '', above: null }];
  for (let next = left.pop(); next; next = left.pop()) {
    const { value: one, depth } = next;
    if (typeof one === 'string') demandText(one);
    // `1e999` is read as infinity, which would be stored as nothing.
    if (typeof one === 'number' && !Number.isFinite(one)) throw invalid('issue.number_huge');
    if (typeof one !== 'object' || one === null || Buffer.isBuffer(one)) continue;
    if (depth >= DEEPEST) throw invalid('issue.body_deep', {}, pathOf(next));
    for (const [key, inner] of Object.entries(one)) {
      demandText(key);
      left.push({ value: inner, depth: depth + 1, key, above: next });
    }
  }
}

/** From the outside in, as far as it is told. */
function pathOf(place: Place): string {
  const keys: string[] = [];
  for (let at = place; at.above; at = at.above) keys.unshift(at.key);
  const path = keys.join('.');
  return path.length > TOLD ? `${path.slice(0, TOLD)}…` : path;
}

function demandText(text: string): void {
  if (text.includes('\0')) throw invalid('issue.nul');
  if (!text.isWellFormed()) throw invalid('issue.half_character');
}

/** The path of an address for the log: without its query, and without the secrets of links in e-mails. */
export const pathForLog = (url: string): string =>
  (url.split('?')[0] ?? '').replace(/[\w.~-]{40,}/g, '[secret]');
