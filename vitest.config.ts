import { defineConfig } from 'vitest/config';

/** Generous, for machines that are busy with other tests. */
const expect = { poll: { timeout: 10_000 } };

/** Two cores: two workers; test files of the server side run in processes of their own since engines keep native state. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          pool: 'forks',
          include: [
            '{packages,plugins,scripts,demo,bench,e2e}/**/*.test.ts',
            'apps/{cloud,agent,simulator}/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/dist/**'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect,
        },
      },
      {
        test: {
          name: 'web',
          environment: 'jsdom',
          include: ['apps/web/src/**/*.test.{ts,tsx}'],
          testTimeout: 20_000,
          expect,
        },
      },
    ],
  },
});
