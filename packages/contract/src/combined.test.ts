/** The rules of docs/data-and-logs.md, *Rules between fields*: each value by itself is fine, and together they are refused. */
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { announcementDraft } from './announcements/announcements.schema.ts';
import { newApiToken } from './api-tokens/api-tokens.schema.ts';
import { backfill, calculationPreview, valuesQuestion } from './calculations/calculations.schema.ts';
import { nameIssue } from './failures/issues.ts';
import { kpiValue } from './kpis/kpis.schema.ts';

const YEAR_MS = 366 * 86_400_000;
const token = { owner: 'A partner', email: 'partner@example.org', expiry: '2 months' };
const streams = { table: 'meter', field: 'power' };
const average = { kind: 'aggregate', streams, operator: 'weightedAverage' };
const timeIn = { kind: 'aggregate', streams, operator: 'timeInState' };
const rules: [what: string, schema: z.ZodType, value: object, at: string][] = [
  [
    'an announcement ends after it begins',
    announcementDraft,
    {
      title: 'a',
      bodyMarkdown: 'b',
      startDate: '2026-11-22T00:00:00Z',
      endDate: '2026-11-21T00:00:00Z',
    },
    'endDate',
  ],
  ['a question ends after it begins', valuesQuestion, { entity: 'a', from: 2, to: 1 }, 'to'],
  ['so does a computation', backfill, { from: 2, to: 2 }, 'to'],
  ['which has its bound', backfill, { from: 0, to: 200 * YEAR_MS }, 'from'],
  ['so does a preview', calculationPreview.shape.question, { entity: 'a', from: 2, to: 1 }, 'to'],
  [
    'a token that configures is not renewed by itself',
    newApiToken,
    { ...token, canRenew: true, permissions: ['coordinate'] },
    'canRenew',
  ],
  ['a weighted average has weights', kpiValue, average, 'weightedBy'],
  ['a time in a state has states', kpiValue, timeIn, 'states'],
];

test.each(rules)('%s', (_what, schema, value, at) => {
  const issues = schema.safeParse(value).error?.issues ?? [];
  const found = issues.find(({ path }) => path.join('.') === at);
  expect(found, JSON.stringify(issues)).toBeDefined();
  expect(found && nameIssue(found)?.issue).toMatch(/^issue\./);
});
