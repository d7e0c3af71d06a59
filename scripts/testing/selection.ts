import { globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { journeysFor } from './journeys.ts';
import { run, tool } from './run.ts';

const HOUSE = resolve(import.meta.dirname, '../..');

/** The tests to run; null means all of them. */
export interface Selection {
  /** Test files of vitest. */
  units: string[] | null;
  /** Names of browser journeys. */
  journeys: string[] | null;
}

export const ALL: Selection = { units: null, journeys: null };

/** What no module imports and many a test depends on. */
const EVERYBODYS = [
  /^package(-lock)?\.json$/,
  /^vitest\.config\.ts$/,
  /^tsconfig[^/]*\.json$/,
  /^apps\/cloud\/migrations\//,
  // A program of its own, which the client starts by its path.
  /^packages\/clickhouse\/src\/engine-process\.ts$/,
  /^scripts\/testing\/(?!.*\.test\.ts$)/,
];

/**
 * Tests that reach for files by their path, to read the tree or to start a program of it. The module graph knows
 * nothing of that, so they run at every change.
 */
const BY_PATH =
  /import\.meta\.(dirname|filename|url|resolve|glob)|\/harness\/|testing\/identities|\/test-texts\./;

/**
 * The tests that the work since a commit can touch, what is not yet committed included. Throws for a commit that does
 * not exist.
 */
export async function testsSince(commit: string): Promise<Selection> {
  const files = await changedSince(commit);
  if (files.some((file) => EVERYBODYS.some((pattern) => pattern.test(file)))) return ALL;
  const { code, output } = await tool('vitest', ['list', '--changed', commit, '--filesOnly', '--json'], {
    quiet: true,
  });
  if (code !== 0) throw new Error(`vitest cannot tell what has changed:\n${output}`);
  const listed = JSON.parse(output.slice(output.indexOf('[\n'))) as { file: string }[];
  const byGraph = listed.map(({ file }) => file.slice(HOUSE.length + 1));
  return { units: [...new Set([...byGraph, ...testsByPath()])].toSorted(), journeys: journeysFor(files) };
}

async function changedSince(commit: string): Promise<string[]> {
  const committed = await run('git', ['diff', '--name-only', commit, '--'], { quiet: true, cwd: HOUSE });
  if (committed.code !== 0)
    throw new Error(`${commit} is no commit of this repository:\n${committed.output}`);
  const added = await run('git', ['ls-files', '--others', '--exclude-standard'], { quiet: true, cwd: HOUSE });
  return `${committed.output}\n${added.output}`.split('\n').filter(Boolean);
}

/** What a test asks that proves more where there is time for it. */
const HAS_LONG_FORM = 'ALBEDO_TEST_LONG';

/** The tests that have a long form. */
export function testsWithLongForm(): Selection {
  const has = (file: string) => readFileSync(join(HOUSE, file), 'utf8').includes(HAS_LONG_FORM);
  const journeys = globSync('e2e/*.spec.ts', { cwd: HOUSE }).filter(has);
  return { units: testFiles().filter(has), journeys: journeys.map((file) => basename(file, '.spec.ts')) };
}

/** Test files that reach for files by their path, from the root of the repository. */
export function testsByPath(): string[] {
  return testFiles().filter((file) => BY_PATH.test(readFileSync(join(HOUSE, file), 'utf8')));
}

const testFiles = (): string[] =>
  globSync('{packages,plugins,scripts,demo,bench,e2e,apps}/**/*.test.{ts,tsx}', {
    cwd: HOUSE,
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
  });
