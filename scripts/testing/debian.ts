import { existsSync } from 'node:fs';
import { run } from './run.ts';

/** What tests use of Debian: a program that shows it is there, and the package that brings it. */
const PROGRAMS = {
  chromium: {
    paths: ['/usr/bin/chromium-headless-shell'],
    packages: ['chromium-headless-shell', 'fonts-liberation'],
  },
  postgres: {
    paths: [
      '/usr/lib/postgresql/15/bin/postgres',
      '/usr/lib/postgresql/16/bin/postgres',
      '/usr/lib/postgresql/17/bin/postgres',
    ],
    packages: ['postgresql'],
  },
  redis: { paths: ['/usr/bin/redis-server'], packages: ['redis-server'] },
  mosquitto: { paths: ['/usr/sbin/mosquitto'], packages: ['mosquitto'] },
  simplesamlphp: {
    paths: ['/usr/share/simplesamlphp/www/index.php'],
    packages: ['simplesamlphp', 'php-cli', 'php-xml', 'php-mbstring', 'php-curl'],
  },
  socat: { paths: ['/usr/bin/socat'], packages: ['socat'] },
} as const;

/** A whole browser does as well where the one without windows is missing, at twice the processor time. */
const WHOLE_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export type Program = keyof typeof PROGRAMS;

const isInstalled = (name: Program) => PROGRAMS[name].paths.some((path) => existsSync(path));

/** Path of each program that is on this machine. */
function findPrograms(): Partial<Record<Program, string>> {
  const found: Partial<Record<Program, string>> = {};
  for (const [name, { paths }] of Object.entries(PROGRAMS)) {
    const path = paths.find((one) => existsSync(one));
    if (path) found[name as Program] = path;
  }
  const browser = findBrowser();
  return browser ? { ...found, chromium: browser } : found;
}

/** The browser of the journeys: that of `CHROMIUM_PATH`, else the quickest one on this machine. */
export function findBrowser(): string | undefined {
  const paths = [...PROGRAMS.chromium.paths, ...WHOLE_BROWSERS];
  return process.env.CHROMIUM_PATH ?? paths.find((path) => existsSync(path));
}

/**
 * Finds what the tests need, installing Debian's packages for what is missing where that is possible (as root, with
 * apt-get). What stays missing is left out of the answer, and `notes` says how to get it.
 */
export async function providePrograms(): Promise<{
  found: Partial<Record<Program, string>>;
  notes: string[];
}> {
  const names = Object.keys(PROGRAMS) as Program[];
  const wanted = names.filter(
    (name) => !isInstalled(name) && !(name === 'chromium' && process.env.CHROMIUM_PATH),
  );
  if (wanted.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    const install = (packages: readonly string[]) =>
      run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { quiet: true, env });
    const packages = wanted.flatMap((name) => PROGRAMS[name].packages);
    process.stdout.write(`Installing from Debian: ${packages.join(' ')}\n`);
    await run('apt-get', ['update'], { quiet: true, env });
    // One package that this Debian does not have must not keep the others away.
    if ((await install(packages)).code !== 0)
      for (const name of wanted) await install(PROGRAMS[name].packages);
    if (!findBrowser()) await install(['chromium', 'fonts-liberation']);
  }
  const found = findPrograms();
  const missing = names.filter((name) => !(name in found));
  const notes = missing.map(
    (name) =>
      `${name} is not on this machine; install it with: apt-get install ${PROGRAMS[name].packages.join(' ')}`,
  );
  return { found, notes };
}
