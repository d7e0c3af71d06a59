import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { OWNER, PORTS } from './owner.ts';

/**
 * The journeys run against the whole product as `npm start` starts it, on a data folder and ports of their own: the
 * cloud with its embedded engines, the simulated plants and their agents, and the agent of this machine.
 */
// Playwright reads this file once more in every worker; the folder must be the same in all of them. The cloud makes it:
// other tools that only read this file leave none behind.
process.env.ALBEDO_E2E_DATA ??= join(tmpdir(), `albedo-e2e-${randomUUID()}`);

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  workers: 1,
  fullyParallel: false,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: `http://127.0.0.1:${PORTS.http}`,
    // What the page was at each step is kept; filming every journey for the few that fail takes time.
    trace: { mode: 'retain-on-failure', screenshots: false },
    // Movements are for people; a journey would only wait for their end.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
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
  webServer: {
    command: `${process.execPath} scripts/start.ts`,
    cwd: '..',
    url: `http://127.0.0.1:${PORTS.http}/readyz`,
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    stdout: 'ignore',
    stderr: 'pipe',
    env: {
      ALBEDO_DATA: process.env.ALBEDO_E2E_DATA,
      ALBEDO_PORT: String(PORTS.http),
      ALBEDO_PUBLIC_URL: `http://127.0.0.1:${PORTS.http}`,
      ALBEDO_MQTT_PORT: String(PORTS.mqtt),
      ALBEDO_OWNER_EMAIL: OWNER.email,
      ALBEDO_OWNER_PASSWORD: OWNER.password,
      ALBEDO_STAFF_DOMAINS: 'albedo.local',
      ALBEDO_ADDON_MANAGERS: OWNER.email,
      ALBEDO_DEMO: '1',
      LOG_LEVEL: 'warn',
    },
  },
});
