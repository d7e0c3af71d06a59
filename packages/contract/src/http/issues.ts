import type { core } from 'zod';
import { z } from 'zod';

/**
 * What may be wrong with a value: the sentences of our schemas, word for word, and those for what every schema asks
 * for. Their names let a client say them in another language. `{name}` is replaced by the fact of that name.
 */
export const issueCatalog = {
  'issue.required': 'Required',
  'issue.email': 'Invalid email',
  'issue.email_required': 'Email address is required.',
  'issue.name_required': 'Name is required',
  'issue.device_name_required': 'A device needs a name.',
  'issue.client_id_required': 'Client ID is required',
  'issue.password_required': 'Password is required',
  'issue.password_short': 'Password must contain at least 8 characters',
  'issue.code': 'Invalid authenticator code',
  'issue.recovery_code': 'A recovery code has 32 characters.',
  'issue.email_code': 'The code has four digits.',
  'issue.url': 'Invalid URL',
  'issue.address': 'An address begins with https://',
  'issue.metadata_missing': 'Give the metadata or its address.',
  'issue.metadata_large': 'The metadata has at most 500 kB.',
  'issue.date': 'Enter a date with a time, such as 2026-11-21T14:00:00Z.',
  'issue.end_first': 'The end has to lie after the start.',
  'issue.time_zone': 'There is no such time zone.',
  'issue.time_zone_name': 'This is no time zone. Use a name such as Europe/Berlin.',
  'issue.language': 'The languages are en, de and es.',
  'issue.workgroup_name': 'A workgroup name has small letters, digits, - and _.',
  'issue.host_name': 'A host name has the form energy.example.org',
  'issue.colour': 'A colour has the form #b0c748',
  'issue.page': 'A page has the form /devices',
  'issue.location': 'A location is a path of the web app without query.',
  'issue.table_name': 'A table name has no full stop.',
  'issue.next_page': 'before is the next of another page.',
  'issue.twice': 'Each one stands once.',
  'issue.nothing_to_change': 'Name what to change: displayName or theme.',
  'issue.no_action': 'Choose at least one action.',
  'issue.action_unknown': 'This type of resource has no such action.',
  'issue.no_workgroup': 'Choose at least one workgroup.',
  'issue.resource_id':
    'An id has letters, digits, dots, colons, dashes and underscores in it, no spaces; every resource is all.',
  'issue.number': 'Please input a number',
  'issue.whole_number': 'Please input a whole number',
  'issue.too_long': 'At most {max} characters.',
  'issue.too_short': 'At least {min} characters.',
  'issue.too_large': 'At most {max}.',
  'issue.too_small': 'At least {min}.',
  'issue.too_many': 'At most {max} entries.',
  'issue.too_few': 'At least {min} entries.',
  'issue.choice': 'One of these: {choices}.',
} as const;

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

/** The name of what a schema found wrong; null where it said something particular. */
export function nameIssue(found: { code: string; message: string }): NamedIssue | null {
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
