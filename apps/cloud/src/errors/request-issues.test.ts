import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { invalid } from './request-issues.ts';

test('a fault of a request has a sentence, and a name for translations', () => {
  expect(invalid('issue.zone_unknown', { zone: 'Mars' }).body).toEqual({
    code: 400,
    error: 'request.invalid',
    message: 'The time zone Mars does not exist.',
    facts: { what: 'The time zone Mars does not exist.' },
    issues: [
      {
        path: '',
        message: 'The time zone Mars does not exist.',
        issue: 'issue.zone_unknown',
        facts: { zone: 'Mars' },
      },
    ],
  });
});

test('no sentence of ours goes into an answer without a name', () => {
  const source = join(import.meta.dirname, '..');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const nameless = files.filter((file) =>
    /'(request\.invalid|branding\.image_invalid)',\s*\{\s*(what|why):\s*['"`]/.test(
      readFileSync(join(source, file), 'utf8'),
    ),
  );
  expect(nameless).toEqual([]);
});
