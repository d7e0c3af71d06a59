/**
 * `npm run weaknesses`: asks OSV (<https://osv.dev>, or the server that is named) for the known weaknesses of every part of the
 * product, and fails where one is older than SECURITY.md allows. Whoever makes a release runs it, and who looks after the project
 * each Monday.
 */
import { parseArgs } from 'node:util';
import { makeNotices, PRODUCT } from './notices.ts';

const OSV = 'https://api.osv.dev';
/** Asked for in one request; OSV takes a thousand. */
const TOGETHER = 500;
const DAY_MS = 86_400_000;
/** Days from the day that a weakness was published; one whose severity is not said counts as grave. */
const DAYS = { grave: 7, other: 30 } as const;
const OTHER: ReadonlySet<string> = new Set(['LOW', 'MODERATE', 'MEDIUM']);

export interface Weakness {
  id: string;
  /** The part in the form of a package URL, with its version. */
  part: string;
  summary: string;
  severity: string;
  /** The day by which it has to be gone, epoch ms. */
  dueAt: number;
}

interface Answer {
  results: { vulns?: { id: string }[]; next_page_token?: string }[];
}

interface Told {
  id: string;
  summary?: string;
  published?: string;
  withdrawn?: string;
  database_specific?: { severity?: string };
}

/** Package URLs of the parts that OSV may know; ours are none. */
export function partsOf(sbom: string): string[] {
  const { components } = JSON.parse(sbom) as { components: { purl?: string; version?: string }[] };
  const purls = components.flatMap(({ purl }) => (purl && !purl.includes('%40albedo/') ? [purl] : []));
  return [...new Set(purls.map((purl) => purl.replace(/[?#].*$/, '')))].toSorted();
}

/** What is known of the parts, the most urgent first. Errors: when the server does not answer, or answers something else. */
export async function weaknessesOf(parts: readonly string[], server = OSV): Promise<Weakness[]> {
  const found: { id: string; part: string }[] = [];
  for (let at = 0; at < parts.length; at += TOGETHER) {
    let asked = parts.slice(at, at + TOGETHER).map((part) => ({ part, token: '' }));
    while (asked.length > 0) {
      const queries = asked.map(({ part, token }) => ({
        package: { purl: part },
        ...(token && { page_token: token }),
      }));
      const { results } = await ask<Answer>(`${server}/v1/querybatch`, queries);
      if (results.length !== asked.length)
        throw new Error(`${server} answered ${results.length} of ${asked.length} questions.`);
      const more: typeof asked = [];
      results.forEach(({ vulns = [], next_page_token: token }, i) => {
        const { part } = asked[i] as { part: string };
        for (const { id } of vulns) found.push({ id, part });
        if (token) more.push({ part, token });
      });
      asked = more;
    }
  }
  const told = new Map<string, Told>();
  for (const id of new Set(found.map((one) => one.id)))
    told.set(id, await ask<Told>(`${server}/v1/vulns/${encodeURIComponent(id)}`));
  return found
    .flatMap(({ id, part }) => weakness(told.get(id) as Told, part) ?? [])
    .toSorted((a, b) => a.dueAt - b.dueAt);
}

function weakness(told: Told, part: string): Weakness | null {
  if (told.withdrawn) return null;
  const severity = told.database_specific?.severity?.toUpperCase() ?? 'UNKNOWN';
  const publishedAt = Date.parse(told.published ?? '');
  const days = OTHER.has(severity) ? DAYS.other : DAYS.grave;
  // One without a day is due at once: nobody can say for how long it is known.
  const dueAt = Number.isNaN(publishedAt) ? 0 : publishedAt + days * DAY_MS;
  return { id: told.id, part, summary: told.summary ?? '', severity, dueAt };
}

async function ask<T>(url: string, queries?: object[]): Promise<T> {
  const answer = await fetch(url, {
    signal: AbortSignal.timeout(30_000),
    ...(queries && { method: 'POST', body: JSON.stringify({ queries }) }),
  }).catch((cause: unknown) => {
    throw new Error(`${url} cannot be asked: ${(cause as Error).message}.`, { cause });
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
  return (await answer.json()) as T;
}

/** A line for each; `isOverdue` when one has outlived its day. */
export function report(weaknesses: readonly Weakness[], now: number): { text: string; isOverdue: boolean } {
  const lines = weaknesses.map(({ id, part, summary, severity, dueAt }) => {
    const day = new Date(dueAt).toISOString().slice(0, 10);
    return `${dueAt < now ? 'OVERDUE' : 'due'} ${day}  ${severity}  ${id}  ${part}  ${summary}`;
  });
  return { text: lines.join('\n'), isOverdue: weaknesses.some(({ dueAt }) => dueAt < now) };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { server: { type: 'string', default: OSV } } });
  const parts = partsOf((await makeNotices(PRODUCT)).sbom);
  const { text, isOverdue } = report(await weaknessesOf(parts, values.server), Date.now());
  process.stdout.write(`${text || 'No known weakness'} (${parts.length} parts)\n`);
  if (isOverdue) process.exitCode = 1;
}
