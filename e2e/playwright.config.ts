import { randomUUID } from 'node:crypto';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findBrowser } from '../scripts/testing/debian.ts';
import { LIVING, type ProductOptions } from './product.ts';

// Playwright reads this file once more in every worker; the folder must be the same in all of them. The products make
// it: other tools that only read this file leave none behind.
process.env.ALBEDO_E2E_DATA ??= join(tmpdir(), `albedo-e2e-${randomUUID()}`);

const browser = findBrowser();

/** A browser and a product for each core, as far as the memory goes; one alone would never meet the other's product. */
const workers = Math.max(2, Math.min(availableParallelism(), Math.floor(totalmem() / (3 * 1024 ** 3))));

/**
 * A few workers, each with a product of its own (`product.ts`). One begins with the journeys that need the whole demo and
 * goes on with the others, so that all end at about the same time.
 */
export default defineConfig<object, ProductOptions>({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: './global-setup.ts',
  workers,
  // As of the other tests: docs/decisions/0036.
  retries: process.env.CI ? 1 : 0,
  fullyParallel: false,
  // Two products and two browsers share the machine; a journey that hangs is cut off, one that is slow is not.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  projects: [
    { name: 'living', grep: new RegExp(LIVING), workers: 1, use: { isLiving: true } },
    { name: 'plain', grepInvert: new RegExp(LIVING) },
  ],
  use: {
    // What the page was at each step is kept; filming every journey for the few that fail takes time.
    trace: { mode: 'retain-on-failure', screenshots: false },
    // What goes through a worker cannot be watched or answered by a journey; the one about it allows it.
    serviceWorkers: 'block',
    // Movements are for people; a journey would only wait for their end.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(browser && { executablePath: browser }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
