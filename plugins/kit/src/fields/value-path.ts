import { InputError } from '../command-line/input-error.ts';

/** Names and numbers that lead to a value inside another one. */
export type ValuePath = readonly (string | number)[];

/**
 * Reads `power.phases[0].watts`; a name with full stops or brackets stands in quotes, `values["a.b"]`. A leading `$` is
 * skipped, and an empty path is the whole. Throws `InputError`.
 */
export function parsePath(text: string): ValuePath {
  const path: (string | number)[] = [];
  let rest = text.trim().replace(/^\$\.?/, '');
  while (rest !== '') {
    const match = /^(?:\[(-?\d+)\]|\["([^"]*)"\]|([^.[\]"]+))\.?/.exec(rest);
    if (!match) throw new InputError(`path: "${text}" is not of the form power.phases[0].watts`);
    path.push(match[1] === undefined ? (match[2] ?? match[3] ?? '') : Number(match[1]));
    rest = rest.slice(match[0].length);
  }
  return path;
}

/** What lies there; undefined where nothing does. A negative number counts from the end. */
export function valueAt(whole: unknown, path: ValuePath): unknown {
  let value = whole;
  for (const step of path) {
    if (Array.isArray(value)) {
      value = typeof step === 'number' ? value.at(step) : undefined;
    } else if (typeof value === 'object' && value !== null && Object.hasOwn(value, step)) {
      value = (value as Record<string | number, unknown>)[step];
    } else return undefined;
  }
  return value;
}
