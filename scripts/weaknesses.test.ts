import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeNotices } from './notices.ts';
import { partsOf, report, weaknessesOf } from './weaknesses.ts';

const NOW = Date.UTC(2026, 0, 31);
const TOLD: Record<string, object> = {
  'GHSA-grave': {
    summary: 'remote code',
    published: '2026-01-20T00:00:00Z',
    database_specific: { severity: 'CRITICAL' },
  },
  'GHSA-small': { published: '2026-01-20T00:00:00Z', database_specific: { severity: 'MODERATE' } },
  'GHSA-taken-back': { published: '2020-01-01T00:00:00Z', withdrawn: '2020-02-01T00:00:00Z' },
  'GHSA-silent': { published: '2026-01-30T00:00:00Z' },
};
/** By the part, page for page. */
const KNOWN: Record<string, string[][]> = {
  'pkg:npm/a@1.0.0': [['GHSA-small'], ['GHSA-grave']],
  'pkg:npm/b@2.0.0': [['GHSA-taken-back', 'GHSA-silent']],
};

let server: Server;
let address = '';
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const id = request.url?.split('/v1/vulns/')[1];
    if (id) return response.end(JSON.stringify({ id, ...TOLD[id] }));
    const { queries } = JSON.parse(await text(request));
    const results = queries.map((one: { package: { purl: string }; page_token?: string }) => {
      const page = Number(one.page_token ?? 0);
      const pages = KNOWN[one.package.purl] ?? [];
      return {
        ...(pages[page] && { vulns: pages[page].map((known) => ({ id: known })) }),
        ...(pages[page + 1] && { next_page_token: String(page + 1) }),
      };
    });
    response.end(JSON.stringify({ results }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test('a known weakness has its day, by how grave it is, and a release fails after it', async () => {
  const known = await weaknessesOf(['pkg:npm/a@1.0.0', 'pkg:npm/b@2.0.0', 'pkg:npm/c@3.0.0'], address);
  expect(known.map(({ id, dueAt }) => [id, new Date(dueAt).toISOString().slice(0, 10)])).toEqual([
    ['GHSA-grave', '2026-01-27'],
    ['GHSA-silent', '2026-02-06'],
    ['GHSA-small', '2026-02-19'],
  ]);
  const { text: lines, isOverdue } = report(known, NOW);
  expect(isOverdue).toBe(true);
  expect(lines).toContain('OVERDUE 2026-01-27  CRITICAL  GHSA-grave  pkg:npm/a@1.0.0  remote code');
  expect(lines.match(/OVERDUE/g)).toHaveLength(1);
  expect(report(known.slice(1), NOW).isOverdue).toBe(false);
});

test('a server that answers nothing of use is an error, not a clean sheet', async () => {
  await expect(weaknessesOf(['pkg:npm/none@1.0.0'], `${address}/v1/vulns`)).rejects.toThrow();
  await expect(weaknessesOf(['pkg:npm/a@1.0.0'], 'http://127.0.0.1:9')).rejects.toThrow();
});

test('every library that is shipped is asked about with its version, and no part of our own', async () => {
  const parts = partsOf((await makeNotices(['apps/agent'])).sbom);
  expect(parts).toContainEqual(expect.stringMatching(/^pkg:npm\/mqtt@\d+\.\d+\.\d+$/));
  expect(parts.filter((part) => part.includes('albedo'))).toEqual([]);
}, 120_000);
