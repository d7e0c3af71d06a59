import { availableParallelism } from 'node:os';
import { type Part, withExample } from './example.ts';
import { type Outcome, run, tool } from './run.ts';

/** A check that passes or fails as a whole. */
export interface Check {
  name: string;
  run: () => Promise<Outcome>;
}

/** What is checked without running anything of the product; the longest first, since they run side by side. */
export const STATIC_CHECKS: readonly Check[] = [
  { name: 'import directions and cycles', run: () => cruise('.dependency-cruiser.mjs') },
  { name: 'rooms without knots', run: () => cruise('.dependency-cruiser.rooms.mjs') },
  { name: 'format and lint', run: () => tool('biome', ['ci', '--error-on-warnings', '.'], { quiet: true }) },
  { name: 'unused code and dependencies', run: () => tool('knip', [], { quiet: true }) },
  { name: 'types of server, agent and tools', run: () => types('server') },
  { name: 'types of the web app', run: () => types('web') },
  { name: 'types of the browser journeys', run: () => types('journeys') },
];

export const BUILD: Check = {
  name: 'build',
  run: () => run(process.execPath, ['scripts/build.ts'], { quiet: true }),
};

/** Runs the checks in their order, as many at a time as there are cores, and tells of each as it ends. */
export async function runChecks(
  checks: readonly Check[],
  told: (check: Check, outcome: Outcome, tookMs: number) => void,
): Promise<void> {
  const waiting = [...checks];
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const startedAt = performance.now();
      const outcome = await check.run();
      told(check, outcome, performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/** A cruise of nothing would pass, so the number of modules is part of the check. */
async function cruise(plan: string): Promise<Outcome> {
  const outcome = await tool('depcruise', ['--config', plan, 'packages', 'apps', 'plugins', 'demo'], {
    quiet: true,
  });
  const modules = Number(/(\d+) modules/.exec(outcome.output)?.[1] ?? 0);
  if (modules >= 50) return outcome;
  return {
    code: 1,
    output: `${outcome.output}\nOnly ${modules} modules were read: the check itself is broken.`,
  };
}

/** Of a part of the house, and of what the page on a new feature would add to it. */
async function types(part: Part): Promise<Outcome> {
  return tool('tsc', ['-p', withExample(part)], { quiet: true });
}
