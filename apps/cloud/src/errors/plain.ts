import { invalid } from './request-issues.ts';

/** Levels of objects and lists in one another; a thing that people made has a handful. */
const DEEPEST = 40;

/**
 * Throws `request.invalid` for what no store can keep and no function of ours can walk through: a text with the
 * character NUL or with half of a character, numbers beyond all doubles, and values nested deeper than 40 levels.
 */
export function demandPlain(value: unknown): void {
  const left: [value: unknown, depth: number][] = [[value, 0]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [one, depth] = next;
    if (typeof one === 'string') demandText(one);
    // `1e999` is read as infinity, which would be stored as nothing.
    if (typeof one === 'number' && !Number.isFinite(one)) throw invalid('issue.number_huge');
    if (typeof one !== 'object' || one === null || Buffer.isBuffer(one)) continue;
    if (depth >= DEEPEST) throw invalid('issue.body_deep');
    for (const [key, inner] of Object.entries(one)) {
      demandText(key);
      left.push([inner, depth + 1]);
    }
  }
}

function demandText(text: string): void {
  if (text.includes('\0')) throw invalid('issue.nul');
  if (!text.isWellFormed()) throw invalid('issue.half_character');
}

/** The path of an address for the log: without its query, and without the secrets of links in e-mails. */
export const pathForLog = (url: string): string =>
  (url.split('?')[0] ?? '').replace(/[\w.~-]{40,}/g, '[secret]');
