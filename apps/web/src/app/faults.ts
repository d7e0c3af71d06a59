import { nameIssue } from '@albedo/contract/failures/issues';
import { speakPlainly } from '@albedo/contract/http/issues';
import type { z } from 'zod';
import type { ApiError } from './call.ts';
import { knownFailureText } from './i18n.ts';

speakPlainly();

/**
 * What a schema found wrong, in the user's language, by the first part of its path that is a field of the form, without
 * fields by the first part; the first of each field.
 */
export function faultsOf(
  error: z.ZodError | undefined,
  fields: readonly string[] = [],
): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const issue of error?.issues ?? []) {
    const path = issue.path.map(String);
    faults[path.find((part) => fields.includes(part)) ?? path[0] ?? ''] ??= sentenceOf(issue);
  }
  return faults;
}

/**
 * What the server found wrong with the fields of a form, in the user's language; null when part of it concerns no
 * field, because the whole message has to be shown then.
 */
export function serverFaultsOf(
  { issues }: ApiError,
  fields: readonly string[],
): Record<string, string> | null {
  const faults: Record<string, string> = {};
  for (const { path, message, issue, facts } of issues) {
    const field = path.split('.').find((part) => fields.includes(part));
    if (field === undefined) return null;
    faults[field] ??= issue ? knownFailureText(issue, message, facts) : message;
  }
  return issues.length > 0 ? faults : null;
}

/** What a schema found wrong, in the user's language, by the whole path: `roles.azimuth`; the first of each. */
export function faultsByPath(error: z.ZodError): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const issue of error.issues) faults[issue.path.map(String).join('.')] ??= sentenceOf(issue);
  return faults;
}

/** What the server found wrong, by the path within that part of the body; without a part by the whole path. */
export function serverFaultsByPath({ issues }: ApiError, within = ''): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const { path, message, issue, facts } of issues) {
    const own = within && path.startsWith(`${within}.`) ? path.slice(within.length + 1) : path;
    faults[own] ??= issue ? knownFailureText(issue, message, facts) : message;
  }
  return faults;
}

/** The value as the schema parses it. Throws the first thing that is wrong, in the user's language. */
export function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const [issue] = error.issues;
  throw new Error(issue ? sentenceOf(issue) : error.message);
}

function sentenceOf(issue: { code: string; message: string }): string {
  const named = nameIssue(issue);
  return named ? knownFailureText(named.issue, issue.message, named.facts) : issue.message;
}
