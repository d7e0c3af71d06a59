import { isSame } from './same.ts';

export type Content = Readonly<Record<string, unknown>>;

/** Names of what a version made another than it was. */
export const changedParts = (base: Content, content: Content): string[] =>
  [...new Set([...Object.keys(base), ...Object.keys(content)])].filter(
    (part) => !isSame(base[part], content[part]),
  );

/**
 * What two people made of one thing: each part from whoever changed it, and from you where both did; `both` names these.
 * Parts that have names of their own, such as the values of a KPI, are put together one by one.
 */
export function mergeContent<T extends object>(base: T, yours: T, theirs: T): { merged: T; both: string[] } {
  const both: string[] = [];
  const merged = mergeParts(base as Content, yours as Content, theirs as Content, '', both);
  return { merged: merged as T, both };
}

function mergeParts(base: Content, yours: Content, theirs: Content, path: string, both: string[]): Content {
  const names = [...new Set([...Object.keys(yours), ...Object.keys(theirs)])];
  const entries = names.map((name) => [name, mergePart(name)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));

  function mergePart(name: string): unknown {
    const [old, mine, their] = [base[name], yours[name], theirs[name]];
    if (isSame(mine, their) || isSame(old, their)) return mine;
    if (isSame(old, mine)) return their;
    const at = path === '' ? name : `${path} › ${name}`;
    if (isParts(mine) && isParts(their)) return mergeParts(isParts(old) ? old : {}, mine, their, at, both);
    both.push(at);
    return mine;
  }
}

const isParts = (value: unknown): value is Content =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
