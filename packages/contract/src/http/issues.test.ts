import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type core, z } from 'zod';
import { newAccessRule } from '../access-control/access-control.schema.ts';
import { announcementDraft } from '../announcements/announcements.schema.ts';
import { type IssueName, issueCatalog, issueText, nameIssue } from '../failures/issues.ts';
import { speakPlainly } from './issues.ts';
import { freeKey } from './reserved-names.ts';

const source = join(import.meta.dirname, '..');

/** Everything of the schemas that may carry a sentence of its own: schemas in schemas, and their checks. */
function* partsOf(part: unknown, seen = new Set<unknown>()): Generator<core.$ZodTypeDef> {
  if (typeof part !== 'object' || part === null || seen.has(part)) return;
  seen.add(part);
  const { def } = ((part as { _zod?: { def?: core.$ZodTypeDef } })._zod ?? {}) as { def?: core.$ZodTypeDef };
  if (def) yield def;
  for (const inner of Object.values(def ?? part)) yield* partsOf(inner, seen);
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' });

async function everyPart(): Promise<core.$ZodTypeDef[]> {
  const found: core.$ZodTypeDef[] = [];
  for (const file of files.filter((one) => /\.(schema|api|socket)\.ts$/.test(one))) {
    const module = (await import(join(source, file))) as Record<string, unknown>;
    found.push(...Object.values(module).flatMap((one) => [...partsOf(one)]));
  }
  return found;
}

const saidOf = ({ error }: core.$ZodTypeDef, code: string): string | null => {
  const sentence = error?.({ code, input: undefined } as never);
  return typeof sentence === 'string' ? sentence : null;
};

async function ownSentences(): Promise<Set<string>> {
  const all = await everyPart();
  return new Set(all.flatMap((part) => saidOf(part, 'custom') ?? saidOf(part, 'invalid_type') ?? []));
}

test('what is too long is not said to be missing', async () => {
  const mixing = (await everyPart()).flatMap((part) => {
    const isLimited = (part.checks ?? []).some(
      ({ _zod: { def } }) => /_length$|_than$/.test(def.check) && !def.error,
    );
    return (isLimited && saidOf(part, 'too_big')) || [];
  });
  // An address that is too long is no address.
  expect(mixing.filter((sentence) => sentence !== 'Invalid email')).toEqual([]);
});

test('every sentence of a schema has a name, so that it can be translated', async () => {
  const sentences = await ownSentences();
  expect(sentences.size).toBeGreaterThan(25);
  const known = new Set<string>(Object.values(issueCatalog));
  expect([...sentences].filter((one) => !known.has(one))).toEqual([]);
});

test('what a schema finds out by itself has a name too: no issue is added but by the catalogue', () => {
  const added = files
    .filter((one) => one.endsWith('.ts') && !one.endsWith('.test.ts'))
    .flatMap((one) => [
      ...readFileSync(join(source, one), 'utf8').matchAll(
        /addIssue\((?!(?:ownIssue|ownError|foundIssue)\().*/g,
      ),
    ]);
  expect(added.map(([line]) => line)).toEqual([]);
});

describe('a rule that does not fit', () => {
  const rule = {
    resourceType: 'DeviceCommand',
    resourceId: 'all',
    actions: ['run'],
    principalType: 'Workgroup_Users',
    principalId: '-',
    effect: 'Allow',
  };
  test.each([
    [
      { actions: ['edit'] },
      'DeviceCommand has no action edit. It has: read, run, manage.',
      {
        issue: 'issue.action_of',
        facts: { type: 'DeviceCommand', action: 'edit', actions: 'read, run, manage' },
      },
    ],
    [
      { resourceType: 'Dashboard', resourceId: 'one', actions: ['create'] },
      'create does not apply to a single dashboard. Give it for every resource.',
      { issue: 'issue.create_all', facts: {} },
    ],
    [
      { principalType: 'User' },
      'User needs the ID of one.',
      { issue: 'issue.principal_missing', facts: { type: 'User' } },
    ],
    [
      { principalId: 'x' },
      'Workgroup_Users does not name anyone in particular. Its ID is a single dash.',
      { issue: 'issue.principal_unnamed', facts: { type: 'Workgroup_Users' } },
    ],
  ])('as %j is told as a sentence with a name and its facts', (wrong, sentence, named) => {
    const [issue] = newAccessRule.safeParse({ ...rule, ...wrong }).error?.issues ?? [];
    expect(issue?.message).toBe(sentence);
    expect(issue && nameIssue(issue)).toEqual(named);
  });
});

describe('what a schema without words of its own finds wrong', () => {
  // Other files run in the same process and may have asked for these sentences already: leave what was there.
  const { customError } = z.config();
  beforeAll(() => speakPlainly());
  afterAll(() => {
    z.config({ customError });
  });
  const draft = z.object({
    name: z.string().min(1).max(5),
    count: z.number().int().min(2).max(9).optional(),
    tags: z.array(z.string()).max(1).optional(),
    kind: z.enum(['a', 'b']).optional(),
    mail: z.email().optional(),
    id: z.uuid().optional(),
    form: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('line') }),
        z.object({ kind: z.literal('area') }),
      ])
      .optional(),
    either: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]).optional(),
    strict: z.strictObject({}).optional(),
    keys: z.record(freeKey(9), z.number()).optional(),
  });

  test.each([
    [{}, 'name', 'Required', 'issue.required'],
    [{ name: '' }, 'name', 'Required', 'issue.required'],
    [{ name: 'longer' }, 'name', 'At most 5 characters.', 'issue.too_long'],
    [{ name: 'a', count: 'x' }, 'count', 'Please input a number', 'issue.number'],
    [{ name: 'a', count: 2.5 }, 'count', 'Please input a whole number', 'issue.whole_number'],
    [{ name: 'a', count: 1 }, 'count', 'At least 2.', 'issue.too_small'],
    [{ name: 'a', count: 10 }, 'count', 'At most 9.', 'issue.too_large'],
    [{ name: 'a', tags: ['a', 'b'] }, 'tags', 'At most 1 entries.', 'issue.too_many'],
    [{ name: 'a', kind: 'c' }, 'kind', 'One of these: a, b.', 'issue.choice'],
    [{ name: 'a', id: '1' }, 'id', 'This is not an ID.', 'issue.id'],
    [{ name: 'a', form: { kind: 'c' } }, 'form.kind', 'One of these: line, area.', 'issue.choice'],
    [
      { name: 'a', either: { b: 1 } },
      'either',
      'None of the accepted forms fits: a: Required; b: Enter a text.',
      'issue.no_form_fits',
    ],
    [{ name: 'a', strict: { b: 1 } }, 'strict', 'No field has this name.', 'issue.unknown_field'],
    [
      { name: 'a', keys: { toString: 1 } },
      'keys.toString',
      'This key is not accepted: This name is reserved.',
      'issue.key',
    ],
    [{ name: 'a', mail: 'no' }, 'mail', 'Invalid email', 'issue.email'],
  ])('%j is told as a sentence with a name', (value, field, sentence, name) => {
    const [issue] = draft.safeParse(value).error?.issues ?? [];
    expect(issue?.path.join('.')).toBe(field);
    expect(issue?.message).toBe(sentence);
    const named = issue && nameIssue(issue);
    expect(named?.issue).toBe(name);
    expect(named && issueText(named.issue as IssueName, named.facts)).toBe(sentence);
  });

  test('words of its own stand, and have their name', () => {
    const [issue] =
      announcementDraft.safeParse({
        title: 'a',
        bodyMarkdown: 'b',
        startDate: '2026-11-22T00:00:00Z',
        endDate: '2026-11-21T00:00:00Z',
      }).error?.issues ?? [];
    expect(issue?.message).toBe('The end must be after the start.');
    expect(issue && nameIssue(issue)).toEqual({ issue: 'issue.end_first', facts: {} });
  });
});
