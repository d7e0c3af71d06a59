import type { core } from 'zod';
import { z } from 'zod';
import { accessControlIssues } from '../access-control/access-control.errors.ts';
import { accountsIssues } from '../accounts/accounts.errors.ts';
import { announcementsIssues } from '../announcements/announcements.errors.ts';
import { auditIssues } from '../audit/audit.errors.ts';
import { brandingIssues } from '../branding/branding.errors.ts';
import { devicesIssues } from '../devices/devices.errors.ts';
import { diagnosticsIssues } from '../diagnostics/diagnostics.errors.ts';
import { identityProvidersIssues } from '../identity-providers/identity-providers.errors.ts';
import { lookupTablesIssues } from '../lookup-tables/lookup-tables.errors.ts';
import { membersIssues } from '../members/members.errors.ts';
import { mfaIssues } from '../mfa/mfa.errors.ts';
import { sessionsIssues } from '../sessions/sessions.errors.ts';
import { settingsIssues } from '../settings/settings.errors.ts';
import { telemetryIssues } from '../telemetry/telemetry.errors.ts';
import { workgroupsIssues } from '../workgroups/workgroups.errors.ts';
import type { IssueCatalog } from './catalogs.ts';

/**
 * What may be wrong with values of any schema; the sentences of a feature stand in its `<feature>.errors.ts`. Their names
 * let a client say them in another language.
 */
const general = {
  'issue.required': 'Required',
  'issue.email': 'Invalid email',
  'issue.name_required': 'Name is required',
  'issue.password_required': 'Password is required',
  'issue.url': 'Invalid URL',
  'issue.date': 'Enter a date with a time, such as 2026-11-21T14:00:00Z.',
  'issue.end_first': 'The end must be after the start.',
  'issue.twice': 'Each entry can appear only once.',
  'issue.number': 'Please input a number',
  'issue.whole_number': 'Please input a whole number',
  'issue.too_long': 'At most {max} characters.',
  'issue.text_long': 'This text is too long.',
  'issue.too_short': 'At least {min} characters.',
  'issue.too_large': 'At most {max}.',
  'issue.too_small': 'At least {min}.',
  'issue.too_many': 'At most {max} entries.',
  'issue.too_few': 'At least {min} entries.',
  'issue.choice': 'One of these: {choices}.',
  'issue.json': 'This is not valid JSON.',
  'issue.body_json': 'The body is not valid JSON.',
  'issue.body_deep': 'The body is nested too deeply.',
  'issue.nul': 'A text contains a NUL character, which cannot be stored.',
  'issue.no_form': 'The body is not a form (multipart/form-data).',
  'issue.no_file': 'The form has no file.',
  'issue.file_field': 'Files belong in the field {field}.',
} as const satisfies IssueCatalog;

/** The sentences of all our schemas. */
export const issueCatalog = {
  ...general,
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

/** An issue by its name in the catalogue, with what its sentence names. */
export interface NamedIssue {
  issue: IssueName;
  facts: Readonly<Record<string, string>>;
}

/** What is wrong with which part of a request. */
export const requestIssue = z.object({
  /** Keys and indexes joined by full stops; empty for the whole. */
  path: z.string(),
  /** The sentence in English. */
  message: z.string(),
  /** Its name in the catalogue, where it has one. */
  issue: z.string().optional(),
  facts: z.record(z.string(), z.string()).optional(),
});
export type RequestIssue = z.infer<typeof requestIssue>;

const BY_SENTENCE = new Map(
  (Object.entries(issueCatalog) as [IssueName, string][]).map(([name, sentence]) => [sentence, name]),
);

/** The sentence of an issue in English. */
export const issueText = ({ issue, facts }: NamedIssue): string =>
  issueCatalog[issue].replace(/\{(\w+)\}/g, (hole, fact: string) => facts[fact] ?? hole);

/** For `context.addIssue` of a schema that finds out by itself what is wrong. */
export const ownIssue = (path: string[], issue: IssueName, facts: NamedIssue['facts'] = {}) => ({
  code: 'custom' as const,
  path,
  message: issueText({ issue, facts }),
  params: { issue, facts } satisfies NamedIssue,
});

/** The name of what a schema found wrong; null where it said something particular. */
export function nameIssue(found: { code: string; message: string; params?: unknown }): NamedIssue | null {
  if (found.code === 'custom' && isNamed(found.params)) return found.params;
  const issue = BY_SENTENCE.get(found.message);
  return issue ? { issue, facts: {} } : nameByCode(found as core.$ZodIssue);
}

/** From now on schemas that say nothing of their own use the sentences of the catalogue, in place of zod's. */
export const speakPlainly = (): void => {
  z.config({
    customError: (found) => {
      const isMissing = found.input === undefined && ['invalid_type', 'invalid_value'].includes(found.code);
      const named: NamedIssue | null = isMissing ? { issue: 'issue.required', facts: {} } : nameByCode(found);
      return named && issueText(named);
    },
  });
};

function nameByCode(found: core.$ZodIssue | core.$ZodRawIssue): NamedIssue | null {
  switch (found.code) {
    case 'too_big':
      return limited(found.origin, 'max', found.maximum);
    case 'too_small':
      return limited(found.origin, 'min', found.minimum);
    case 'invalid_format':
      return FORMATS[found.format] ? { issue: FORMATS[found.format] as IssueName, facts: {} } : null;
    case 'invalid_type':
      return TYPES[found.expected] ? { issue: TYPES[found.expected] as IssueName, facts: {} } : null;
    case 'invalid_value':
      return { issue: 'issue.choice', facts: { choices: (found.values ?? []).join(', ') } };
    default:
      return null;
  }
}

const isNamed = (params: unknown): params is NamedIssue =>
  typeof params === 'object' && params !== null && 'issue' in params && 'facts' in params;

const FORMATS: Readonly<Record<string, IssueName>> = {
  email: 'issue.email',
  url: 'issue.url',
  datetime: 'issue.date',
};
const TYPES: Readonly<Record<string, IssueName>> = { number: 'issue.number', int: 'issue.whole_number' };

const LIMITS = {
  string: { max: 'issue.too_long', min: 'issue.too_short' },
  array: { max: 'issue.too_many', min: 'issue.too_few' },
  number: { max: 'issue.too_large', min: 'issue.too_small' },
} as const;

function limited(origin: string, end: 'max' | 'min', limit: unknown): NamedIssue {
  if (origin === 'string' && end === 'min' && limit === 1) return { issue: 'issue.required', facts: {} };
  const kind = origin === 'string' || origin === 'array' ? origin : 'number';
  return { issue: LIMITS[kind][end], facts: { [end]: String(limit) } };
}
