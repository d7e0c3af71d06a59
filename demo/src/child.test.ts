import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Child } from './child.ts';
import { pruneArchives } from './housekeeping.ts';
import { resetData } from './reset.ts';
import { REPOSITORY, readSettings } from './settings.ts';
import { leftPassword, welcome } from './welcome.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-demo-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(text: string): string {
  const path = join(folder, `program-${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(path, text);
  return path;
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('a child that dies begins again, its output goes to a log, and it stops in order', async () => {
  const restarts: string[] = [];
  const lines: string[] = [];
  const count = join(folder, 'count');
  const text = `import { appendFileSync, readFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(count)}, 'x');
    const times = readFileSync(${JSON.stringify(count)}, 'utf8').length;
    process.on('SIGTERM', () => { console.log('bye'); process.exit(0); });
    console.log('start ' + times);
    if (times === 1) process.exit(3);
    setInterval(() => {}, 1000);`;
  const child = new Child({
    name: 'one',
    program: program(text),
    args: [],
    logDir: folder,
    onLine: (line) => lines.push(line),
    onRestart: (reason) => restarts.push(reason),
  });
  child.start();
  child.keepAlive();
  await vi.waitFor(() => expect(lines).toContain('start 2'), { timeout: 10_000 });
  await child.stop();
  expect(restarts).toEqual(['code 3']);
  await vi.waitFor(() =>
    expect(readFileSync(join(folder, 'one.log'), 'utf8')).toBe('start 1\nstart 2\nbye\n'),
  );
});

test('a child ends when its orchestrator is killed outright', async () => {
  const inner = program('console.log(process.pid); setInterval(() => {}, 1000);');
  const outer = program(`import { Child } from ${JSON.stringify(join(import.meta.dirname, 'child.ts'))};
    new Child({ name: 'inner', program: ${JSON.stringify(inner)}, args: [], logDir: ${JSON.stringify(folder)},
      onLine: (line) => console.log(line) }).start();`);
  const orchestrator = spawn(process.execPath, [outer]);
  const [line] = await once(createInterface({ input: orchestrator.stdout }), 'line');
  const pid = Number(line);
  expect(isAlive(pid)).toBe(true);
  orchestrator.kill('SIGKILL');
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 5000 });
});

test('reset deletes the data folder and refuses folders that hold more than data', () => {
  const data = join(folder, 'data');
  resetData(data);
  writeFileSync(join(folder, 'keep'), '');
  resetData(data);
  expect(existsSync(join(folder, 'keep'))).toBe(true);
  expect(() => resetData('/')).toThrow('is not deleted');
  expect(() => resetData(REPOSITORY)).toThrow('is not deleted');
});

test('archives older than two days go, younger ones and latest.csv stay', () => {
  for (const name of ['2026-06-10.csv', '2026-06-10.csv.1', '2026-06-13.csv', 'latest.csv', 'notes.txt']) {
    writeFileSync(join(folder, name), '');
  }
  pruneArchives(folder, Date.UTC(2026, 5, 14, 12));
  expect(['2026-06-10.csv', '2026-06-10.csv.1'].some((name) => existsSync(join(folder, name)))).toBe(false);
  expect(['2026-06-13.csv', 'latest.csv', 'notes.txt'].every((name) => existsSync(join(folder, name)))).toBe(
    true,
  );
});

test('the password is shown at the first start, and later only where it was shown', () => {
  const settings = readSettings({ ALBEDO_DATA: folder, ALBEDO_PORT: '9000' });
  expect(welcome(settings, 'secret-word')).toMatch(
    /http:\/\/localhost:9000[\s\S]*owner@albedo\.local[\s\S]*secret-word/,
  );
  // A start that ended early shows it too.
  expect(leftPassword(settings, 'secret-word')).toMatch(/owner@albedo\.local, password secret-word/);
  const second = welcome(settings, null);
  expect(second).toMatch(/was shown at the first start \(\d{4}-\d\d-\d\d/);
  expect(second).not.toContain('secret-word');
  expect(welcome({ ...settings, isPasswordChosen: true }, null)).toContain('ALBEDO_OWNER_PASSWORD');
});
