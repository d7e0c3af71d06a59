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
  'issue.address': 'The address must start with https://',
  'issue.metadata_missing': 'Enter the metadata or its address.',
  'issue.metadata_large': 'The metadata can be up to 500 kB.',
  'issue.date': 'Enter a date with a time, such as 2026-11-21T14:00:00Z.',
  'issue.end_first': 'The end must be after the start.',
  'issue.time_zone': 'This time zone does not exist.',
  'issue.time_zone_name': 'This is not a time zone. Use a name such as Europe/Berlin.',
  'issue.language': 'The languages are en, de and es.',
  'issue.workgroup_name': 'A workgroup name can contain only lowercase letters, digits, - and _.',
  'issue.host_name': 'Enter a host name such as energy.example.org',
  'issue.colour': 'Enter a colour such as #b0c748',
  'issue.page': 'Enter a page such as /devices',
  'issue.location': 'A location is a path in the web app without a query.',
  'issue.table_name': 'A table name cannot contain a full stop.',
  'issue.code_letters': 'A code has only letters, digits, _ and -.',
  'issue.lookup_field': 'There is no column {name}.',
  'issue.next_page': 'before must be the next of another page.',
  'issue.twice': 'Each entry can appear only once.',
  'issue.nothing_to_change': 'Specify what to change: displayName or theme.',
  'issue.no_action': 'Choose at least one action.',
  'issue.action_unknown': 'This type of resource has no such action.',
  'issue.no_workgroup': 'Choose at least one workgroup.',
  'issue.resource_id':
    'An ID has only letters, digits, dots, colons, dashes and underscores, no spaces. Use all for every resource.',
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
  'issue.action_of': '{type} has no action {action}. It has: {actions}.',
  'issue.create_all': 'create does not apply to a single dashboard. Give it for every resource.',
  'issue.principal_unnamed': '{type} does not name anyone in particular. Its ID is a single dash.',
  'issue.principal_missing': '{type} needs the ID of one.',
  'issue.json': 'This is not valid JSON.',
  'issue.body_json': 'The body is not valid JSON.',
  'issue.body_deep': 'The body is nested too deeply.',
  'issue.nul': 'A text contains a NUL character, which cannot be stored.',
  'issue.no_form': 'The body is not a form (multipart/form-data).',
  'issue.no_file': 'The form has no file.',
  'issue.file_field': 'Files belong in the field {field}.',
  'issue.zone_unknown': 'The time zone {zone} does not exist.',
  'issue.aggregation_field': 'The aggregation {name} needs a field.',
  'issue.no_intervals': 'The field {field} is not a date, so it has no intervals.',
  'issue.filters_deep': 'Filters can be nested up to {max} levels.',
  'issue.filter_single': 'The operator {operator} needs a single value.',
  'issue.filter_number': 'The field {field} holds numbers; {value} is not one.',
  'issue.filter_date':
    'The field {field} holds dates; {value} is not one. Write 2026-11-21T14:00:00Z or epoch milliseconds.',
  'issue.filter_bool': 'The field {field} is true or false; {value} is neither.',
  'issue.filter_text': 'The field {field} holds text; {value} is not text.',
  'issue.date_field': 'The field {field} is not a date.',
  'issue.instant': '{value} is not a date. Write 2026-11-21T14:00:00Z or epoch milliseconds.',
  'issue.timeframe': 'A timeframe has from and to, or is one of these: {choices}.',
  'issue.aggregation_name': 'An aggregation cannot be named {name}.',
  'issue.aggregation_twice': 'Two aggregations are named {name}.',
  'issue.aggregation_numbers': 'The field {field} has no numbers to calculate with.',
  'issue.interval': 'The interval {interval} does not exist. Examples: 1m, 15m, 6h, 1d, 1w, 1M, 1y.',
  'issue.image_large': 'It is larger than 500 kB.',
  'issue.image_kind': 'It is not a PNG, JPEG, WebP, GIF or SVG.',
  'issue.image_sides': 'It is {width} x {height} pixels. Each side must be {min} to {max}.',
  'issue.image_damaged': 'Its size cannot be read; the file may be damaged.',
  'issue.svg_broken': 'It is not a well-formed SVG.',
  'issue.svg_none': 'It is not an SVG.',
  'issue.svg_entities': 'It declares entities.',
  'issue.svg_contains': 'It contains {part}.',
  'issue.svg_attribute': 'It contains the attribute {name}.',
  'issue.svg_encoding': 'It is written in {encoding}, not in UTF-8.',
  'issue.svg_not_utf8': 'It is not written in UTF-8.',
  'issue.svg_outside': 'It refers to something outside itself.',
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
