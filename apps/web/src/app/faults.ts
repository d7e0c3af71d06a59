import { nameIssue, speakPlainly } from '@albedo/contract/http/issues';
import type { z } from 'zod';
import { knownFailureText } from './i18n.ts';

speakPlainly();

/** What a schema found wrong, by the first part of its path, in the user's language; the first of each field. */
export function faultsOf<T>(error: z.ZodError<T> | undefined): Partial<Record<keyof T & string, string>> {
  const faults: Record<string, string> = {};
  for (const issue of error?.issues ?? []) faults[String(issue.path[0] ?? '')] ??= sentenceOf(issue);
  return faults as Partial<Record<keyof T & string, string>>;
}

/** The first thing that a schema found wrong, in the user's language. */
export function firstFault(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue ? sentenceOf(issue) : '';
}

function sentenceOf(issue: { code: string; message: string }): string {
  const named = nameIssue(issue);
  return named ? knownFailureText(named.issue, issue.message, named.facts) : issue.message;
}
