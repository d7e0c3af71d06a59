import type { ErrorName } from '@albedo/contract/failures/errors';
import { type IssueName, issueText, nameIssue } from '@albedo/contract/failures/issues';
import type { RequestIssue } from '@albedo/contract/http/issues';
import { AppError } from './app-error.ts';

/** What zod says of a value that a schema refuses. */
interface Found {
  code: string;
  message: string;
  path: readonly PropertyKey[];
  params?: unknown;
  /** The names that an object should not have. */
  keys?: readonly string[];
}

/** Each name that an object should not have as a finding of its own, at its place. */
export const eachKey = <F extends Found>(found: readonly F[]): F[] =>
  found.flatMap((one) => one.keys?.map((key) => ({ ...one, path: [...one.path, key] })) ?? [one]);

/** The failure of the catalogue that a schema found, in its own words; null where it found none such. */
export function ownFailure(found: readonly Found[], below?: string): AppError | null {
  const error = found.map(({ params }) => (params as { error?: ErrorName } | undefined)?.error).find(Boolean);
  return error ? new AppError(error, {}, requestIssues(found, below)) : null;
}

/** What is wrong with a request as a whole, or with one field of it, by its name in the catalogue. */
export function invalid(issue: IssueName, facts: Record<string, string> = {}, path = ''): AppError {
  const issues = [{ path, message: issueText(issue, facts), issue, facts }];
  return new AppError('request.invalid', { what: issuesText(issues) }, issues);
}

/** Answers name this many at most: a body of ours has far fewer fields. */
const MOST = 50;

/** The issues of a schema as an answer tells them; `below` is the field that the schema is about. */
export function requestIssues(found: readonly Found[], below?: string): RequestIssue[] {
  return eachKey(found)
    .slice(0, MOST)
    .map((one) => {
      const path = [...(below === undefined ? [] : [below]), ...one.path].map(String).join('.');
      return { path, message: one.message, ...nameIssue(one) };
    });
}

/** The issues as one sentence: `name: Required; labels: Each one stands once.`; `place` says where the fields are. */
export const issuesText = (issues: readonly RequestIssue[], place = ''): string =>
  issues.map(({ path, message }) => (path === '' ? message : `${path}${place}: ${message}`)).join('; ');
