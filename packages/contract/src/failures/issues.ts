import type { core } from 'zod';
import { accessControlIssues } from '../access-control/access-control.errors.ts';
import { accountsIssues } from '../accounts/accounts.errors.ts';
import { announcementsIssues } from '../announcements/announcements.errors.ts';
import { auditIssues } from '../audit/audit.errors.ts';
import { brandingIssues } from '../branding/branding.errors.ts';
import { devicesIssues } from '../devices/devices.errors.ts';
import { diagnosticsIssues } from '../diagnostics/diagnostics.errors.ts';
import { filled, generalIssues, type NamedIssue, nameByCode } from '../http/issues.ts';
import { identityProvidersIssues } from '../identity-providers/identity-providers.errors.ts';
import { lookupTablesIssues } from '../lookup-tables/lookup-tables.errors.ts';
import { membersIssues } from '../members/members.errors.ts';
import { mfaIssues } from '../mfa/mfa.errors.ts';
import { sessionsIssues } from '../sessions/sessions.errors.ts';
import { settingsIssues } from '../settings/settings.errors.ts';
import { telemetryIssues } from '../telemetry/telemetry.errors.ts';
import { workgroupsIssues } from '../workgroups/workgroups.errors.ts';

/** The sentences of all our schemas. */
export const issueCatalog = {
  ...generalIssues,
  ...accessControlIssues,
  ...accountsIssues,
  ...announcementsIssues,
  ...auditIssues,
  ...brandingIssues,
  ...devicesIssues,
  ...diagnosticsIssues,
  ...identityProvidersIssues,
  ...lookupTablesIssues,
  ...membersIssues,
  ...mfaIssues,
  ...sessionsIssues,
  ...settingsIssues,
  ...telemetryIssues,
  ...workgroupsIssues,
};

export type IssueName = keyof typeof issueCatalog;

const BY_SENTENCE = new Map<string, string>(
  Object.entries(issueCatalog).map(([name, sentence]) => [sentence, name]),
);

/** The sentence of an issue in English. */
export const issueText = (issue: IssueName, facts: NamedIssue['facts'] = {}): string =>
  filled(issueCatalog[issue], facts);

/** The name of what a schema found wrong; null where it said something particular. */
export function nameIssue(found: { code: string; message: string; params?: unknown }): NamedIssue | null {
  if (found.code === 'custom' && isNamed(found.params)) return found.params;
  const issue = BY_SENTENCE.get(found.message);
  return issue ? { issue, facts: {} } : nameByCode(found as core.$ZodIssue);
}

const isNamed = (params: unknown): params is NamedIssue =>
  typeof params === 'object' && params !== null && 'issue' in params && 'facts' in params;
