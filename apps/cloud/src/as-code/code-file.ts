import { isDeepStrictEqual } from 'node:util';
import { CODE_FORMAT, CODE_LIMITS } from '@albedo/contract/as-code/as-code.schema';
import type { HistoryKind } from '@albedo/contract/history/history.schema';
import { AppError } from '../errors/app-error.ts';
import { invalid, issuesText, requestIssues } from '../errors/request-issues.ts';
import type { Kind } from '../history/history.service.ts';

/** One entry of a file that its schema has passed. */
export interface Entry {
  /** Where it stands, such as `entities.3`. */
  path: string;
  spec: Record<string, unknown>;
  /** Why it can only stay as it is: an earlier release accepted it, and it is refused of what is new or changed. */
  refusal?: AppError;
}

/** The entries of a file by kind; kinds that the file leaves out are not among them. Throws `request.invalid`. */
export function entriesOf(file: unknown, kinds: readonly Kind[]): Map<HistoryKind, Entry[]> {
  if (!isObject(file)) throw invalid('issue.yaml_map', {}, 'yaml');
  const { format = CODE_FORMAT, ...sections } = file;
  if (format !== CODE_FORMAT)
    throw invalid(
      'issue.code_format',
      { given: String(format).slice(0, 40), known: String(CODE_FORMAT) },
      'format',
    );
  const known = kinds.map(({ code }) => code.section).join(', ');
  for (const section of Object.keys(sections))
    if (!kinds.some(({ code }) => code.section === section))
      throw invalid('issue.code_section', { known }, section.slice(0, 80));
  const all = new Map<HistoryKind, Entry[]>();
  for (const kind of kinds) {
    const { section } = kind.code;
    if (!Object.hasOwn(sections, section)) continue;
    const list = sections[section] ?? [];
    if (!Array.isArray(list)) throw invalid('issue.list', {}, section);
    const { things } = CODE_LIMITS;
    if (list.length > things) throw invalid('issue.too_many', { max: String(things) }, section);
    all.set(
      kind.name,
      list.map((given, at) => entryOf(kind, given, `${section}.${at}`)),
    );
  }
  return all;
}

function entryOf({ code }: Kind, given: unknown, path: string): Entry {
  const read = code.schema.safeParse(given);
  const refusal = read.success ? undefined : refusalOf(read.error.issues, path);
  const whole = read.success ? read : code.keptSchema?.safeParse(given);
  if (refusal && !whole?.success) throw refusal;
  const unknown = unknownIn(given, whole?.data, path);
  if (unknown) throw invalid('issue.code_unknown', {}, unknown);
  return { path, spec: whole?.data as Record<string, unknown>, ...(refusal && { refusal }) };
}

function refusalOf(found: Parameters<typeof requestIssues>[0], path: string): AppError {
  const issues = requestIssues(found, path);
  return new AppError('request.invalid', { what: issuesText(issues) }, issues);
}

/** The first key of what was given that the schema does not know; lists that it puts in order keep their keys. */
function unknownIn(given: unknown, read: unknown, path: string): string | null {
  if (Array.isArray(given)) {
    if (!Array.isArray(read)) return null;
    const known = new Set(read.flatMap((one) => (isObject(one) ? Object.keys(one) : [])));
    for (const [at, one] of given.entries()) {
      const place = `${path}.${at}`;
      const isMoved =
        isObject(one) && isObject(read[at]) && !Object.keys(one).every((key) => key in (read[at] as object));
      const stray = isMoved ? Object.keys(one as object).find((key) => !known.has(key)) : undefined;
      const found = isMoved
        ? stray === undefined
          ? null
          : `${place}.${stray}`
        : unknownIn(one, read[at], place);
      if (found) return found;
    }
    return null;
  }
  if (!isObject(given) || !isObject(read)) return null;
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(read, key)) return `${path}.${key}`.slice(0, 300);
    const found = unknownIn(value, read[key], `${path}.${key}`);
    if (found) return found;
  }
  return null;
}

/** Without what the schema fills in by itself. */
export function withoutDefaults({ code }: Kind, spec: object): object {
  const kept: Record<string, unknown> = { ...spec };
  const whole = code.schema.safeParse(kept).data;
  if (whole === undefined) return kept;
  for (const key of Object.keys(kept)) {
    const { [key]: _left, ...rest } = kept;
    const read = code.schema.safeParse(rest);
    if (read.success && isDeepStrictEqual(read.data, whole)) delete kept[key];
  }
  return kept;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
