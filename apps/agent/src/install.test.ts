import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;
const at = (path: string) => join(folder, path);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-install-'));
  mkdirSync(at('pack/etc/albedo/keys'), { recursive: true });
  copyFileSync(join(import.meta.dirname, '../pack/install.sh'), at('pack/install.sh'));
  writeFileSync(at('pack/etc/albedo/albedo.yaml'), '');
});
afterEach(() => {
  process.kill(Number(readFileSync(at('root/run/albedo/agent.pid'), 'utf8')), 'SIGKILL');
  rmSync(folder, { recursive: true });
});

/** What the installer says where the agent says `lines` after it was started. */
function install(lines: string): string {
  writeFileSync(
    at('pack/agent.mjs'),
    `if (process.argv.includes('-v')) console.log('2.5.0');
     else { console.log(${JSON.stringify(lines)}); setInterval(() => {}, 1000); }`,
  );
  return execFileSync('sh', [at('pack/install.sh'), '--root', at('root')], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
  });
}

test('the installer says that the agent reaches the cloud, whatever it said before', () => {
  mkdirSync(at('root/var/log'), { recursive: true });
  writeFileSync(at('root/var/log/albedo.log'), 'x info  link: no connection to old.example:8883: refused\n');
  const said = install('x info  link: connected to cloud.example:8883 as 1');
  expect(said).toContain('It is connected to the cloud.');
  expect(said).not.toContain('old.example');
});

test('the installer says why the agent does not reach the cloud', () => {
  const said = install('x warn  link: no connection to cloud.example:8883: ETIMEDOUT');
  expect(said).toContain('does not reach the cloud yet: no connection to cloud.example:8883: ETIMEDOUT\n');
});
