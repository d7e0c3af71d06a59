import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { AREAS_OF_JOURNEYS, journeysFor } from './journeys.ts';

const HOUSE = resolve(import.meta.dirname, '../..');
const FOLDERS = ['apps/cloud/src', 'packages/contract/src', 'apps/web/src/features'];
const journeys = globSync('e2e/*.spec.ts', { cwd: HOUSE });

/** What is behind the addresses that journeys open. */
const ADDRESSES: readonly [RegExp, string][] = [
  [/'\/admin\/access\/(users|invites)/, 'members'],
  [/'\/admin\/access\/access-control/, 'access-control'],
  [/'\/admin\/access\/api-tokens/, 'api-tokens'],
  [/'\/admin\/access\/audit/, 'audit'],
  [/'\/admin\/workgroup\/device-groups/, 'device-groups'],
  [/'\/admin\/workgroup\/appearance/, 'branding'],
  [/'\/admin\/workgroup\/settings/, 'settings'],
  [/'\/announcements/, 'announcements'],
  [/'\/signup/, 'workgroup-requests'],
  [/'\/login\/sso/, 'sessions'],
  [/bringIn\(/, 'members'],
];

test('every journey has its areas in the table, and every area is a folder', () => {
  expect(journeys.map((file) => basename(file, '.spec.ts')).toSorted()).toEqual(
    Object.keys(AREAS_OF_JOURNEYS).toSorted(),
  );
  const areas = new Set(Object.values(AREAS_OF_JOURNEYS).flat());
  const missing = [...areas].filter(
    (area) => !FOLDERS.some((folder) => existsSync(join(HOUSE, folder, area))),
  );
  expect(missing).toEqual([]);
});

test('the areas of a journey hold what it opens and calls', () => {
  const forgotten = journeys.flatMap((file) => {
    const text = readFileSync(join(HOUSE, file), 'utf8');
    const called = [...text.matchAll(/@albedo\/contract\/([a-z-]+)\//g)].map(([, area]) => area ?? '');
    const opened = ADDRESSES.filter(([address]) => address.test(text)).map(([, area]) => area);
    const listed = new Set(AREAS_OF_JOURNEYS[basename(file, '.spec.ts')]);
    return [...new Set([...called, ...opened])]
      .filter((area) => !listed.has(area))
      .map((area) => `${file}: ${area}`);
  });
  expect(forgotten).toEqual([]);
});

test('a change of an area leads to its journeys, one that is everybody’s to all of them', () => {
  const all = Object.keys(AREAS_OF_JOURNEYS);
  expect(journeysFor(['apps/cloud/src/branding/branding.service.ts'])).toEqual([
    'accessibility-admin',
    'branding',
    'every-screen',
  ]);
  expect(journeysFor(['apps/web/src/features/passkeys/passkeys.queries.ts'])).toContain('passkeys');
  expect(journeysFor(['e2e/people.spec.ts'])).toEqual(['people']);
  expect(journeysFor(['apps/agent/src/agent.ts'])).toContain('newcomer');
  expect(journeysFor(['docs/performance.md', 'apps/cloud/src/audit/audit.test.ts'])).toEqual([]);
  for (const file of [
    'apps/web/src/app/router.tsx',
    'apps/web/src/ui/table.tsx',
    'apps/cloud/src/cloud.ts',
    'apps/cloud/src/an-area-of-tomorrow/it.service.ts',
    'packages/postgres/src/postgres.ts',
    'package-lock.json',
    'e2e/pages.ts',
  ])
    expect(journeysFor([file]), file).toEqual(all);
});
