import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HostedDevice, type HostedState } from './hosted-device.ts';

let folder = '';
let hosted: HostedDevice | null = null;
let states: HostedState[] = [];
let isKept = true;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-hosted-'));
  states = [];
  isKept = true;
});
afterEach(async () => {
  await hosted?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A stand-in for the agent, in the place of which a program can do anything. */
function host(program: string): HostedDevice {
  const [home, root] = [join(folder, 'program'), join(folder, 'root')];
  for (const one of [home, root]) mkdirSync(one, { recursive: true });
  writeFileSync(join(home, 'agent.mjs'), program);
  hosted = new HostedDevice({
    root,
    agent: join(home, 'agent.mjs'),
    pluginOf: (name) => join(home, `${name}.mjs`),
    launcher: [],
    reach: async () => ({ isAll: false, networks: ['10.1.0.0/16'] }),
    prepare: async () => ({}),
    onState: (change) => states.push(change),
    isKept: () => isKept,
    log: pino({ level: 'silent' }),
  });
  return hosted;
}

const report = (name: string) => JSON.parse(readFileSync(join(folder, 'root', name), 'utf8'));
const until = (claim: () => boolean) => vi.waitFor(() => expect(claim()).toBe(true), { timeout: 20_000 });

test('what runs in the cloud has its own folder, and neither files, programs nor variables of the server', async () => {
  writeFileSync(join(folder, 'secret'), 'of the server');
  process.env.SERVER_SECRET = 'of the server';
  host(`import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
    import { spawnSync } from 'node:child_process';
    const tell = (of) => { try { return String(of()); } catch (error) { return error.code; } };
    const many = () => {
      const all = [];
      try { for (let i = 0; i < 2000; i++) all.push(openSync('mine', 'r')); } finally { all.forEach(closeSync); }
    };
    writeFileSync('mine', 'x');
    writeFileSync('told.json', JSON.stringify({
      own: tell(() => readFileSync('mine')),
      outside: tell(() => readFileSync(${JSON.stringify(join(folder, 'secret'))})),
      password: tell(() => readFileSync('/etc/passwd')),
      write: tell(() => writeFileSync(${JSON.stringify(join(folder, 'other'))}, '')),
      program: tell(() => spawnSync('id')),
      variable: String(process.env.SERVER_SECRET),
      many: tell(many),
    }));
    setInterval(() => {}, 1000);`).start();
  await until(() => existsSync(join(folder, 'root/told.json')));
  expect(report('told.json')).toEqual({
    own: 'x',
    outside: 'ERR_ACCESS_DENIED',
    password: 'ERR_ACCESS_DENIED',
    write: 'ERR_ACCESS_DENIED',
    program: 'ERR_ACCESS_DENIED',
    variable: 'undefined',
    many: 'EMFILE',
  });
  delete process.env.SERVER_SECRET;
});

test('what ends begins again after growing pauses, and one that takes too much memory is ended', async () => {
  const device = host(`import { appendFileSync, readFileSync } from 'node:fs';
    appendFileSync('starts', 'x');
    const starts = readFileSync('starts', 'utf8').length;
    if (starts === 1) { console.error(process.cwd() + '/outbox is gone'); process.exit(3); }
    if (starts === 2) globalThis.kept = Buffer.alloc(400 * 1024 * 1024, 1);
    setInterval(() => {}, 1000);`);
  device.start();
  await until(() => states.some(({ hasEnded }) => hasEnded));
  expect(states.find(({ hasEnded }) => hasEnded)?.lastEnd).toBe('It ended with code 3: /outbox is gone');
  const starts = () => readFileSync(join(folder, 'root/starts'), 'utf8').length;
  await until(() => starts() === 2);
  await vi.waitFor(
    async () => {
      await device.watch();
      expect(states.findLast(({ hasEnded }) => hasEnded)?.lastEnd).toMatch(/^It used \d{3} MB of memory/);
    },
    { timeout: 20_000, interval: 200 },
  );
  await until(() => starts() === 3);
  const { pid } = device;
  await device.stop();
  expect(() => process.kill(pid as number, 0)).toThrow('ESRCH');
  expect(states.at(-1)?.state).toBe('stopped');
});

test('wanted again while it still ends, it begins once the process before is gone, and no end of it counts', async () => {
  const device = host(`import { appendFileSync } from 'node:fs';
    const tell = (what) => appendFileSync('life', what + ' ');
    tell('begins');
    process.on('SIGTERM', () => setTimeout(() => { tell('ends'); process.exit(0); }, 400));
    setInterval(() => {}, 1000);`);
  const life = () =>
    existsSync(join(folder, 'root/life'))
      ? readFileSync(join(folder, 'root/life'), 'utf8').trim().split(' ')
      : [];
  device.start();
  await until(() => life().length === 1);
  const over = Promise.all([device.restart(), device.restart()]);
  device.start();
  await over;
  await until(() => life().length === 3);
  // Longer than the pause after which one that ended begins again.
  await new Promise((done) => setTimeout(done, 1500));
  expect(life()).toEqual(['begins', 'ends', 'begins']);
  expect(states.some(({ hasEnded }) => hasEnded)).toBe(false);
  expect(states.at(-1)?.state).toBe('running');
});

test('it has plugins run for it, with arguments that lead where the operator allows', async () => {
  host(`import { writeFileSync } from 'node:fs';
    const answers = [];
    process.on('message', (answer) => {
      answers.push(answer);
      if (answers.length === 4) writeFileSync('answers.json', JSON.stringify(answers));
    });
    const ask = (plugin, ...args) => process.send({ id: crypto.randomUUID(), plugin, args, timeoutMs: 10000 });
    process.send({ nonsense: true });
    ask('sunspec', 'service', '/etc/passwd');
    ask('sunspec', 'discover', '169.254.169.254', '1');
    ask('sunspec', 'discover', 'metadata.internal', '1');
    ask('sunspec', 'discover', '10.1.2.3', '1');
    setInterval(() => {}, 1000);`);
  writeFileSync(
    join(folder, 'program/sunspec.mjs'),
    'console.log("read " + process.argv.slice(2).join(" "));',
  );
  hosted?.start();
  await until(() => existsSync(join(folder, 'root/answers.json')));
  const answers = report('answers.json') as { error: string | null; stdout: string }[];
  expect(answers.map(({ error, stdout }) => error ?? stdout.trim()).toSorted()).toEqual([
    'A cloud device of this server reaches machines by their address only.',
    'A cloud device runs plugins with discover and log only.',
    'Cloud devices of this server may not reach 169.254.169.254. Its operator lists what they may.',
    'read discover 10.1.2.3 1',
  ]);
});

test('it begins only while the lease of this process lasts, and its agent hears that it is kept', async () => {
  isKept = false;
  const one = host(`import { writeFileSync } from 'node:fs';
    process.on('message', (message) => writeFileSync('told.json', JSON.stringify(message)));
    setInterval(() => {}, 1000);`);
  one.start();
  await until(() => states.some(({ lastEnd }) => lastEnd === 'Another process may have taken it over'));
  expect(one.pid).toBeUndefined();
  isKept = true;
  await until(() => one.pid !== undefined);
  await until(() => {
    one.kept();
    return existsSync(join(folder, 'root/told.json'));
  });
  await until(() => readFileSync(join(folder, 'root/told.json'), 'utf8') === '{"isKept":true}');
});
