import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ONE_LINE } from './one-line.ts';

const source = join(import.meta.dirname, '..');
const contract = await Promise.all(
  globSync('*/*.api.ts', { cwd: source }).map((file) => import(join(source, file)) as Promise<object>),
);

const NAMES = ['name', 'displayName', 'orgDisplay', 'ownerName', 'owner', 'title', 'subject', 'company'];

interface Field {
  at: string;
  schema: z.ZodType;
}

/** Every field of a body that is a name by its key, wherever it stands. */
function* namesIn(schema: unknown, at: string): Generator<Field> {
  if (!(schema instanceof z.ZodType)) return;
  const { def } = schema as z.ZodType & { def: Record<string, unknown> };
  for (const inner of [def.innerType, def.element, def.in, def.valueType]) yield* namesIn(inner, at);
  for (const option of (def.options as unknown[] | undefined) ?? []) yield* namesIn(option, at);
  for (const [key, field] of Object.entries((def.shape as Record<string, z.ZodType> | undefined) ?? {})) {
    if (NAMES.includes(key)) yield { at: `${at} ${key}`, schema: field };
    yield* namesIn(field, `${at} ${key}`);
  }
}

const fields = contract
  .flatMap((module) => Object.values(module))
  .flatMap((api) =>
    Object.values(api as Record<string, { method: string; url: string; schema?: { body?: unknown } }>),
  )
  .flatMap(({ method, url, schema }) => [...namesIn(schema?.body, `${method} ${url}`)]);

test.each(fields.map(({ at, schema }) => [at, schema] as const))('%s takes no line break', (_at, schema) => {
  for (const end of ['\n', '\r', '\u2028', '\u0085', '\0'])
    expect(schema.safeParse(`north${end}south`).success, JSON.stringify(end)).toBe(false);
});

test('a name may have all letters and signs there are', () => {
  for (const name of ['Zürich · 北京', 'Dach "Ost" <1>', 'a\u00a0b'])
    expect(ONE_LINE[0].test(name)).toBe(true);
});
