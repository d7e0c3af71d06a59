import { existsSync } from 'node:fs';
import { run } from './run.ts';

/** What tests use of Debian: a program that shows it is there, and the package that brings it. */
const PROGRAMS = {
  chromium: {
    paths: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
    packages: ['chromium', 'fonts-liberation'],
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

export type Program = keyof typeof PROGRAMS;

/** Path of each program that is on this machine. */
function findPrograms(): Partial<Record<Program, string>> {
  const found: Partial<Record<Program, string>> = {};
  for (const [name, { paths }] of Object.entries(PROGRAMS)) {
    const path = paths.find((one) => existsSync(one));
    if (path) found[name as Program] = path;
  }
  if (process.env.CHROMIUM_PATH) found.chromium = process.env.CHROMIUM_PATH;
  return found;
}

/**
 * Finds what the tests need, installing Debian's packages for what is missing where that is possible (as root, with
 * apt-get). What stays missing is left out of the answer, and `notes` says how to get it.
 */
export async function providePrograms(): Promise<{
  found: Partial<Record<Program, string>>;
  notes: string[];
}> {
  const missing = () => (Object.keys(PROGRAMS) as Program[]).filter((name) => !(name in findPrograms()));
  const wanted = missing();
  if (wanted.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const packages = wanted.flatMap((name) => PROGRAMS[name].packages);
    process.stdout.write(`Installing from Debian: ${packages.join(' ')}\n`);
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update'], { quiet: true, env });
    await run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { quiet: true, env });
  }
  const notes = missing().map(
    (name) =>
      `${name} is not on this machine; install it with: apt-get install ${PROGRAMS[name].packages.join(' ')}`,
  );
  return { found: findPrograms(), notes };
}
