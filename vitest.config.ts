import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { oneLanguage } from './apps/web/one-language.ts';
import { SpreadSequencer } from './scripts/testing/order.ts';
import { workersHere } from './scripts/testing/workers.ts';

/** Generous, for machines that are busy with other tests. */
const expect = { poll: { timeout: 10_000 } };

/** Puts something in the place of a module, so it needs a process in which nobody has loaded that before. */
const ALONE = ['apps/cloud/src/secrets/passwords.test.ts'];

/** An environment for each test file that no other one has touched. */
const setupFiles = [join(import.meta.dirname, 'scripts/testing/own-environment.ts')];

/**
 * Test files of the server side run one after the other in the same few processes: loading
 * the cloud and its engines costs more than most files of tests. They leave nothing behind that another one could meet.
 */
export default defineConfig({
  test: {
    maxWorkers: workersHere(),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    sequence: { sequencer: SpreadSequencer },
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          pool: 'forks',
          isolate: false,
          setupFiles,
          // All of these before those of the web: a process is kept only while the next file is for it too.
          sequence: { groupOrder: 0 },
          include: [
            '{packages,plugins,scripts,demo,bench,e2e}/**/*.test.ts',
            'apps/{cloud,agent,simulator}/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/dist/**', ...ALONE],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect,
        },
      },
      {
        test: {
          name: 'alone',
          environment: 'node',
          pool: 'forks',
          setupFiles,
          sequence: { groupOrder: 1 },
          include: ALONE,
          expect,
        },
      },
      {
        plugins: [oneLanguage()],
        test: {
          name: 'web',
          environment: 'jsdom',
          sequence: { groupOrder: 2 },
          include: ['apps/web/src/**/*.test.{ts,tsx}'],
          testTimeout: 20_000,
          expect,
        },
      },
    ],
  },
});
