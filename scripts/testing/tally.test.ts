import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { areaOf, readPlaywright, Tally, VitestRun } from './tally.ts';

const folder = mkdtempSync(join(tmpdir(), 'albedo-tally-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(report: unknown, name = 'report.json'): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(report));
  return file;
}

test('the table names each stage and the slowest 15 files, the slowest first', () => {
  const tally = new Tally();
  expect(tally.add('build', { passed: 1, failed: 0 }, 7640)).toBe('ok   build: 1 passed, 0 failed (7.6 s)');
  const files = Array.from({ length: 20 }, (_, at) => ({ file: `${at}.test.ts`, tookMs: at * 1000 }));
  expect(tally.add('tests', { passed: 40, failed: 2 }, 61_000, { files })).toMatch(/^FAIL tests: /);
  const lines = tally.table().split('\n');
  expect(lines).toContain('     7.6  build: 1 passed, 0 failed');
  expect(lines).toContain('    61.0  tests: 40 passed, 2 failed');
  expect(lines.filter((line) => line.endsWith('.test.ts'))).toHaveLength(15);
  expect(lines.findIndex((line) => line.endsWith(' 19.test.ts'))).toBeLessThan(
    lines.findIndex((line) => line.endsWith(' 18.test.ts')),
  );
  expect(tally.total).toEqual({ passed: 41, failed: 2 });
});

test('the table sums each area over its layers, the longest first', () => {
  const tally = new Tally();
  const files = [
    { file: 'apps/cloud/src/jobs/jobs.test.ts', tookMs: 4000 },
    { file: 'apps/web/src/features/jobs/job-table.test.tsx', tookMs: 3000 },
    { file: 'apps/cloud/src/main.test.ts', tookMs: 5000 },
    { file: 'apps/agent/src/captures/rotation.test.ts', tookMs: 6000 },
  ];
  tally.add('tests', { passed: 4, failed: 0 }, 18_000, { files });
  const lines = tally.table().split('\n');
  const at = lines.indexOf(' seconds  area');
  expect(lines.slice(at + 1, at + 4)).toEqual([
    '     7.0  jobs',
    '     6.0  apps/agent/captures',
    '     5.0  apps/cloud',
  ]);
  expect(areaOf('e2e/fleet.spec.ts')).toBe('e2e, journeys');
  expect(areaOf('e2e/faults/check.test.ts')).toBe('e2e, processes');
  expect(areaOf('plugins/camera/src/camera.test.ts')).toBe('plugins/camera');
  expect(areaOf('scripts/notices.test.ts')).toBe('scripts');
});

test('what passes only when it is tried again counts as passed and is named', () => {
  const file = (name: string, tests: Record<string, string>, status = 'passed') => ({
    ...{ name: `/house/${name}`, status },
    assertionResults: Object.entries(tests).map(([fullName, status]) => ({ fullName, status })),
  });
  const run = (success: boolean, ...testResults: unknown[]) =>
    VitestRun.read(
      written({ success, testResults }),
      written({ '/house/a.test.ts': 7 }, 'times.json'),
      '/house',
    );
  const first = run(
    false,
    file('a.test.ts', { steady: 'passed', shaky: 'failed' }, 'failed'),
    file('fell.test.ts', { never: 'skipped' }, 'failed'),
    file('fine.test.ts', { fine: 'passed' }),
  );
  expect(first.failedFiles).toEqual(['a.test.ts', 'fell.test.ts']);
  expect(first.report(null)).toMatchObject({ passed: 2, failed: 2, unsteady: [] });
  const still = run(
    false,
    file('a.test.ts', { steady: 'passed', shaky: 'failed' }, 'failed'),
    file('fell.test.ts', { never: 'passed' }),
  );
  expect(first.report(still)).toMatchObject({ passed: 3, failed: 1, unsteady: ['fell.test.ts'] });
  const vitest = first.report(
    run(
      true,
      file('a.test.ts', { steady: 'passed', shaky: 'passed' }),
      file('fell.test.ts', { never: 'passed' }),
    ),
  );
  expect([vitest.passed, vitest.failed]).toEqual([4, 0]);
  expect(vitest.files).toContainEqual({ file: 'a.test.ts', tookMs: 7 });
  const spec = (title: string, status: string) => ({
    title,
    tests: [{ status, results: [{ duration: 1 }] }],
  });
  const playwright = readPlaywright(
    written({
      stats: { expected: 1, unexpected: 1, flaky: 1 },
      suites: [
        {
          file: 'b.spec.ts',
          specs: [spec('fine', 'expected'), spec('wrong', 'unexpected')],
          suites: [{ specs: [spec('now and then', 'flaky')] }],
        },
      ],
    }),
    'e2e',
  );
  expect([playwright.passed, playwright.failed]).toEqual([2, 1]);
  const tally = new Tally();
  tally.add('units', vitest, 5, vitest);
  tally.add('journeys', playwright, 5, playwright);
  expect(tally.table().split('\n').slice(-4)).toEqual([
    'Passed only when tried again, each to be mended:',
    'a.test.ts: shaky',
    'fell.test.ts',
    'e2e/b.spec.ts: now and then',
  ]);
  expect(tally.total).toEqual({ passed: 6, failed: 1 });
});
