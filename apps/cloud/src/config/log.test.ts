import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { expect, test } from 'vitest';
import { createLog } from './log.ts';

async function logged(write: (log: ReturnType<typeof createLog>) => void): Promise<string> {
  const to = new PassThrough();
  write(createLog('trace', to));
  to.end();
  return text(to);
}

test('a query that failed is logged without its values, with where it failed and why', async () => {
  const cause = new Error('duplicate key');
  const failure = new DrizzleQueryError('update users set hash = $1', ['a-kept\nsecret'], cause);
  const line = await logged((log) => log.error({ err: failure }, 'request failed'));
  expect(line).not.toContain('secret');
  expect(line).toContain('update users set hash = $1');
  expect(line).toContain('duplicate key');
  expect(line).toContain('log.test.ts');
});

test('names under which secrets travel keep their values', async () => {
  const line = await logged((log) => log.info({ headers: { authorization: 'bearer x.y.z' } }, 'request'));
  expect(line).not.toContain('x.y.z');
});
