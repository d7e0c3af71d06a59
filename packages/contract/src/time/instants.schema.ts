import { z } from 'zod';
import { issuesOf } from '../http/issues.ts';
import { telemetryIssues } from '../telemetry/telemetry.errors.ts';
import { toInstant } from './instants.ts';

const ownIssue = issuesOf(telemetryIssues);

/**
 * An instant as every question takes it: epoch ms, its digits as text, or a date of ISO 8601, in UTC where it names no zone.
 * Epoch ms once it is read.
 */
export const instant = z.union([z.number(), z.string().max(40)]).transform((given, context): number => {
  const at = toInstant(given, 'UTC');
  if (at !== null) return at;
  context.addIssue(ownIssue([], 'issue.instant', { value: String(given).slice(0, 100) }));
  return z.NEVER;
});
