/** The plugins of a real agent pack on a bare root: nothing but Node and what the pack brought. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PACK_SOURCES, Packs } from '../apps/cloud/src/packs/packs.service.ts';

const run = promisify(execFile);
const HOUSE = join(import.meta.dirname, '..');
/** The peer is another implementation than ours: the server of the library, on the far end of the line. */
const { ServerSerial } = createRequire(join(HOUSE, 'plugins/kit/package.json'))('modbus-serial');

let folder = '';
let line: ChildProcess;
let server: { close(done: () => void): void };
const end = (name: string) => join(folder, name);
const at = (path: string) => join(folder, 'root', path);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-packed-'));
  const mqtt = { hostname: 'localhost', port: 1 };
  const pack = await new Packs(PACK_SOURCES).make({
    arch: process.arch === 'arm64' ? 'arm64' : 'amd64',
    caPem: 'ca',
    certPem: 'cert',
    keyPem: 'key',
    mqtt,
  });
  writeFileSync(end('pack.tar.gz'), await buffer(pack));
  execFileSync('tar', ['-xzf', end('pack.tar.gz'), '-C', folder]);
  execFileSync('sh', [end('albedo-agent/install.sh'), '--root', at(''), '--no-start'], { stdio: 'pipe' });

  line = spawn(
    'socat',
    ['a', 'b'].map((name) => `pty,raw,echo=0,link=${end(name)}`),
  );
  await vi.waitFor(() => expect([existsSync(end('a')), existsSync(end('b'))]).toEqual([true, true]));
  const registers = { getHoldingRegister: (address: number) => address * 3 };
  const serial = new ServerSerial(registers, { port: end('b'), baudRate: 19_200, unitID: 7 });
  server = serial;
  await once(serial, 'initialized');
}, 120_000);
afterAll(async () => {
  await new Promise<void>((done) => server.close(done));
  line.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** A command of the device, far from this repository and its libraries. */
const command = (name: string, args: string[]) =>
  run(at(`usr/local/bin/${name}`), args, { cwd: at(''), env: { PATH: '/usr/bin:/bin' } });

test('a device on a serial line is read and logged', async () => {
  const file = at('plc.csv');
  writeFileSync(
    file,
    `_cmd, mbpoll -m {TCP_RTU} -t 4 -r 11 -c 2 {ENDPOINT}
plc, tank, Level, 11, 1, udec, mm, , RO
plc, tank, Flow, 12, 1, udec, l/min, , RO
`,
  );
  const line = [end('a'), '7', file];
  const { stdout } = await command('modbus_albedo', ['discover', ...line, '--baud', '19200']);
  expect(stdout).toMatch(/^Level\(integer:mm\) +30\nFlow\(integer:l\/min\) +33$/m);
  await command('modbus_albedo', ['log', ...line, at('opt/albedo/logs'), '--baud', '19200']);
  expect(readFileSync(at('opt/albedo/logs/plc/tank/latest.csv'), 'utf8')).toMatch(/,30,33\n$/);
});

test('the other plugin of serial lines gets its answers too, and says what is missing in them', async () => {
  const read = command('sunspec_albedo', ['discover', end('a'), '7', '--baud', '19200']);
  await expect(read).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no SunSpec marker at 40000, 50000 or 0'),
  });
});
