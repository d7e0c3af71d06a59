import { z } from 'zod';
import { issuesOf } from '../http/issues.ts';
import { toInstant } from '../time/instants.ts';
import { telemetryIssues } from './telemetry.errors.ts';

const ownIssue = issuesOf(telemetryIssues);

/**
 * An instant as every question takes it: epoch ms, its digits as text, or a date of ISO 8601, in UTC where it names no zone.
 * Epoch ms once it is read, and what our own programs write.
 */
export const instant = z.union([z.number(), z.string().max(40)]).transform((given, context): number => {
  const at = toInstant(given, 'UTC');
  if (at !== null) return at;
  context.addIssue(ownIssue([], 'issue.instant', { value: String(given).slice(0, 100) }));
  return z.NEVER;
}) as unknown as z.ZodType<number, number>;
