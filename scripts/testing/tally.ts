import { readFileSync } from 'node:fs';

export interface Count {
  passed: number;
  failed: number;
}

/** What a stage of the test command counted and how long it took. */
interface Stage extends Count {
  name: string;
  tookMs: number;
}

interface TimedFile {
  file: string;
  tookMs: number;
}

/** What a runner says of its own run. */
export interface Report extends Count {
  files: TimedFile[];
  /** Tests that failed first and passed when they were tried again: each is a fault of the test or of the product. */
  unsteady: string[];
}

const SLOWEST = 15;

/** Counts the stages of the test command and knows where the time went. */
export class Tally {
  readonly #stages: Stage[] = [];
  readonly #files: TimedFile[] = [];
  readonly #unsteady: string[] = [];

  get total(): Count {
    const sum = (of: (stage: Stage) => number) => this.#stages.reduce((all, stage) => all + of(stage), 0);
    return { passed: sum(({ passed }) => passed), failed: sum(({ failed }) => failed) };
  }

  get #areas(): Map<string, number> {
    const sums = new Map<string, number>();
    for (const { file, tookMs } of this.#files) {
      const area = areaOf(file);
      sums.set(area, (sums.get(area) ?? 0) + tookMs);
    }
    return sums;
  }

  /** Adds a stage and answers the line that says how it went. */
  add(name: string, { passed, failed }: Count, tookMs: number, runner?: Partial<Report>): string {
    this.#stages.push({ name, passed, failed, tookMs });
    this.#files.push(...(runner?.files ?? []));
    this.#unsteady.push(...(runner?.unsteady ?? []));
    return `${failed === 0 ? 'ok  ' : 'FAIL'} ${name}: ${passed} passed, ${failed} failed (${seconds(tookMs)} s)`;
  }

  /**
   * Where the time went: a row for each stage in the order of their ends, then the areas and the slowest test files; and
   * which tests passed only when they were tried again.
   */
  table(): string {
    const row = (tookMs: number, text: string) => `${seconds(tookMs).padStart(8)}  ${text}`;
    const stages = this.#stages.map(({ name, passed, failed, tookMs }) =>
      row(tookMs, `${name}: ${passed} passed, ${failed} failed`),
    );
    const slowest = this.#files.toSorted((a, b) => b.tookMs - a.tookMs).slice(0, SLOWEST);
    const files = slowest.map(({ file, tookMs }) => row(tookMs, file));
    const areas = [...this.#areas]
      .toSorted(([, a], [, b]) => b - a)
      .map(([area, tookMs]) => row(tookMs, area));
    const parts = [['', ' seconds  stage', ...stages]];
    if (files.length > 0) parts.push(['', ' seconds  area', ...areas]);
    if (files.length > 0) parts.push(['', ' seconds  slowest test files', ...files]);
    if (this.#unsteady.length > 0)
      parts.push(['', 'Passed only when tried again, each to be mended:', ...this.#unsteady]);
    return parts.flat().join('\n');
  }
}

const FEATURE = /^(?:apps\/(?:cloud\/src|web\/src\/features)|packages\/contract\/src)\/([^/]+)\//;
const JOURNEY = /\.spec\.ts$/;

/** A feature in all its layers, a room of the agent, a package, a plugin; what crosses them is by itself. */
export function areaOf(file: string): string {
  const feature = FEATURE.exec(file)?.[1];
  if (feature) return feature;
  const [top = '', name = '', , room = ''] = file.split('/');
  if (top === 'e2e') return JOURNEY.test(file) ? 'e2e, journeys' : 'e2e, processes';
  if (top === 'apps') return room === '' || room.includes('.') ? `apps/${name}` : `apps/${name}/${room}`;
  return name.includes('.') ? top : `${top}/${name}`;
}

const seconds = (tookMs: number) => (tookMs / 1000).toFixed(1);

/** A test file as vitest reports it. */
interface TestedFile {
  name: string;
  /** `failed` too where the file did not get as far as its tests. */
  status: string;
  assertionResults: { fullName: string; status: string }[];
}

interface TimedTestFile extends TestedFile {
  tookMs: number;
}

interface VitestReport {
  success: boolean;
  testResults: TestedFile[];
}

/** What vitest says of a run in its JSON report; `root` is left out of the paths. */
export class VitestRun {
  readonly #files: TimedTestFile[];
  /** False too when something failed that belongs to no test. */
  readonly isFine: boolean;

  private constructor(files: TimedTestFile[], isFine: boolean) {
    this.#files = files;
    this.isFine = isFine;
  }

  /** `times` is what `file-times.ts` wrote. Throws where there is no report. */
  static read(path: string, times: string, root: string): VitestRun {
    const { success, testResults } = JSON.parse(readFileSync(path, 'utf8')) as VitestReport;
    const took = JSON.parse(readFileSync(times, 'utf8')) as Record<string, number>;
    const files = testResults.map((file) => ({
      ...file,
      name: file.name.replace(`${root}/`, ''),
      tookMs: took[file.name] ?? 0,
    }));
    return new VitestRun(files, success);
  }

  get failedFiles(): string[] {
    return this.#files.filter(({ status }) => status === 'failed').map(({ name }) => name);
  }

  /** Counts what the files that failed did when they were tried `again`; null where nothing was. */
  report(again: VitestRun | null): Report {
    const tried = new Map((again ? again.#files : []).map((file) => [file.name, file]));
    const files = this.#files.map((file) => tried.get(file.name) ?? file);
    const passed = files.flatMap((file) => testsOf(file, 'passed'));
    const failed = files.flatMap(faultsOf);
    const first = this.#files.flatMap(faultsOf);
    return {
      passed: passed.length,
      failed: failed.length,
      files: files.map(({ name, tookMs }) => ({ file: name, tookMs })),
      unsteady: first.filter((fault) => !failed.includes(fault)),
    };
  }
}

const testsOf = ({ name, assertionResults }: TestedFile, wanted: string): string[] =>
  assertionResults.filter(({ status }) => status === wanted).map(({ fullName }) => `${name}: ${fullName}`);

/** The tests that failed, or the file where it did not get as far. */
function faultsOf(file: TestedFile): string[] {
  if (file.status !== 'failed') return [];
  const tests = testsOf(file, 'failed');
  return tests.length > 0 ? tests : [file.name];
}

interface JourneySuite {
  specs: { title: string; tests: { status: string; results: { duration: number }[] }[] }[];
  suites?: JourneySuite[];
}

/** Reads the JSON report of Playwright; `folder` is where its journeys are. Throws where there is none. */
export function readPlaywright(path: string, folder: string): Report {
  const { stats, suites } = JSON.parse(readFileSync(path, 'utf8')) as {
    stats: { expected: number; unexpected: number; flaky: number };
    suites: (JourneySuite & { file: string })[];
  };
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    files: suites.map((suite) => ({ file: `${folder}/${suite.file}`, tookMs: durationOf(suite) })),
    unsteady: suites.flatMap((suite) =>
      unsteadyOf(suite).map((title) => `${folder}/${suite.file}: ${title}`),
    ),
  };
}

function unsteadyOf({ specs, suites = [] }: JourneySuite): string[] {
  const own = specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky'));
  return [...own.map(({ title }) => title), ...suites.flatMap(unsteadyOf)];
}

function durationOf({ specs, suites = [] }: JourneySuite): number {
  const own = specs.flatMap(({ tests }) =>
    tests.flatMap(({ results }) => results.map(({ duration }) => duration)),
  );
  return [...own, ...suites.map(durationOf)].reduce((sum, one) => sum + one, 0);
}
