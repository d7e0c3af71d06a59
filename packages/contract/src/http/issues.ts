import type { core } from 'zod';
import { config, z } from 'zod';
import type { IssueCatalog } from './catalogs.ts';

/**
 * What may be wrong with values of any schema; the sentences of a feature stand in its `<feature>.errors.ts`. Their names
 * let a client say them in another language.
 */
export const generalIssues = {
  'issue.required': 'Required',
  'issue.email': 'Invalid email',
  'issue.name_required': 'Name is required',
  'issue.password_required': 'Password is required',
  'issue.name_reserved': 'This name is reserved.',
  'issue.one_line': 'Use one line, without control characters.',
  'issue.url': 'Invalid URL',
  'issue.date': 'Enter a date with a time, such as 2026-11-21T14:00:00Z.',
  'issue.end_first': 'The end must be after the start.',
  'issue.twice': 'Each entry can appear only once.',
  'issue.number': 'Please input a number',
  'issue.whole_number': 'Please input a whole number',
  'issue.yes_no': 'Enter true or false.',
  'issue.text': 'Enter a text.',
  'issue.object': 'Enter an object, not a list or a single value.',
  'issue.list': 'Enter a list.',
  'issue.too_long': 'At most {max} characters.',
  'issue.text_long': 'This text is too long.',
  'issue.too_short': 'At least {min} characters.',
  'issue.too_large': 'At most {max}.',
  'issue.too_small': 'At least {min}.',
  'issue.too_many': 'At most {max} entries.',
  'issue.too_few': 'At least {min} entries.',
  'issue.unknown_field': 'No field has this name.',
  'issue.choice': 'One of these: {choices}.',
  'issue.no_form_fits': 'None of the accepted forms fits: {problems}.',
  'issue.key': 'This key is not accepted: {problem}',
  'issue.id': 'This is not an ID.',
  'issue.day': 'Enter a day, such as 2026-11-21.',
  'issue.json': 'This is not valid JSON.',
  'issue.body_json': 'The body is not valid JSON, or has a key named __proto__.',
  'issue.body_deep': 'The body is nested too deeply.',
  'issue.address': 'The address has a % that does not begin a character of UTF-8.',
  'issue.nul': 'A text contains a NUL character, which cannot be stored.',
  'issue.half_character': 'A text contains half of a character, which cannot be stored.',
  'issue.number_huge': 'A number is larger than any that can be stored.',
  'issue.no_form': 'The body is not a form (multipart/form-data).',
  'issue.no_file': 'The form has no file.',
  'issue.file_field': 'Files belong in the field {field}.',
} as const satisfies IssueCatalog;

type General = keyof typeof generalIssues;

/** An issue by its name in the catalogue, with what its sentence names. */
export interface NamedIssue {
  issue: string;
  facts: Readonly<Record<string, string>>;
}

interface GeneralIssue extends NamedIssue {
  issue: General;
}

const REQUIRED: GeneralIssue = { issue: 'issue.required', facts: {} };

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

/** A sentence with its facts. */
export const filled = (sentence: string, facts: NamedIssue['facts']): string =>
  sentence.replace(/\{(\w+)\}/g, (hole, fact: string) => facts[fact] ?? hole);

/** For `context.addIssue` of a schema that finds out by itself what is wrong, in the sentences of this catalogue. */
export const issuesOf =
  <N extends string>(catalog: Readonly<Record<N, string>>) =>
  (path: (string | number)[], issue: N, facts: NamedIssue['facts'] = {}) => ({
    code: 'custom' as const,
    path,
    message: filled(catalog[issue], facts),
    params: { issue, facts } satisfies NamedIssue,
  });

/** What another schema found wrong, at its place in ours. */
export const foundIssue = <I extends { code: string; message: string }>(
  issue: I,
  path: (string | number)[],
) => ({ ...issue, path }) as I & { code: 'custom'; path: (string | number)[] };

/**
 * What a schema says where there is no value of its kind. A bare text in its place would be said of everything that is
 * wrong, also of a value that is too long.
 */
export const whenMissing = (text: string): { error: (found: { code?: string }) => string | undefined } => ({
  error: ({ code }) => (code === 'invalid_type' ? text : undefined),
});

/**
 * From now on schemas that say nothing of their own use the sentences of the catalogue, in place of zod's. Not `z.config`: the
 * web app's build takes what `z` makes for something without effect.
 */
export const speakPlainly = (): void => {
  config({
    customError: (found) => {
      const isMissing = found.input === undefined && ['invalid_type', 'invalid_value'].includes(found.code);
      const named = isMissing ? REQUIRED : nameByCode(found);
      return named && filled(generalIssues[named.issue], named.facts);
    },
  });
};

/** The sentence for what every schema asks for. */
export function nameByCode(found: core.$ZodIssue | core.$ZodRawIssue): GeneralIssue | null {
  switch (found.code) {
    case 'too_big':
      return limited(found.origin, 'max', found.maximum);
    case 'too_small':
      return limited(found.origin, 'min', found.minimum);
    case 'invalid_format':
      return general(FORMATS[found.format]);
    case 'invalid_type':
      return general(TYPES[found.expected]);
    case 'invalid_value':
      return { issue: 'issue.choice', facts: { choices: (found.values ?? []).join(', ') } };
    case 'invalid_union':
      return ofUnion(found);
    case 'invalid_key':
      return { issue: 'issue.key', facts: { problem: found.issues[0]?.message ?? '' } };
    case 'unrecognized_keys':
      return general('issue.unknown_field');
    default:
      return null;
  }
}

const general = (issue: General | undefined): GeneralIssue | null => (issue ? { issue, facts: {} } : null);

/** By the value that decides, where one does; else what each of the forms misses first. */
function ofUnion(found: { errors: core.$ZodIssue[][]; options?: unknown }): GeneralIssue | null {
  if (Array.isArray(found.options))
    return { issue: 'issue.choice', facts: { choices: found.options.join(', ') } };
  const problems = found.errors.flatMap(([first]) => {
    if (!first) return [];
    const text = first.message.replace(/\.$/, '');
    return [first.path.length > 0 ? `${first.path.map(String).join('.')}: ${text}` : text];
  });
  const different = [...new Set(problems)];
  return different.length > 0
    ? { issue: 'issue.no_form_fits', facts: { problems: different.join('; ') } }
    : null;
}

const FORMATS: Readonly<Record<string, General>> = {
  email: 'issue.email',
  url: 'issue.url',
  datetime: 'issue.date',
  date: 'issue.day',
  uuid: 'issue.id',
};
const TYPES: Readonly<Record<string, General>> = {
  number: 'issue.number',
  int: 'issue.whole_number',
  boolean: 'issue.yes_no',
  string: 'issue.text',
  object: 'issue.object',
  record: 'issue.object',
  array: 'issue.list',
};

const LIMITS = {
  string: { max: 'issue.too_long', min: 'issue.too_short' },
  array: { max: 'issue.too_many', min: 'issue.too_few' },
  number: { max: 'issue.too_large', min: 'issue.too_small' },
} as const;

function limited(origin: string, end: 'max' | 'min', limit: unknown): GeneralIssue {
  if (origin === 'string' && end === 'min' && limit === 1) return REQUIRED;
  const kind = origin === 'string' || origin === 'array' ? origin : 'number';
  return { issue: LIMITS[kind][end], facts: { [end]: String(limit) } };
}
