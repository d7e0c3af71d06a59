import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseConfig } from '../config/config.read.ts';
import type { Unit } from '../outbox/outbox.events.ts';
import { rootAt } from '../root.ts';
import { TaskLauncher } from '../tasks/task-launcher.ts';
import { TaskLog } from '../tasks/task-log.ts';
import { Captures } from './captures.ts';

let root: string;
let captures: Captures | null = null;
const units: Unit[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'albedo-captures-'));
  units.length = 0;
});
afterEach(() => {
  captures?.stop();
  rmSync(root, { recursive: true, force: true });
});

const MQTT = 'mqtt: {hostname: h, port: 1, cacertfile: /a, certfile: /b, keyfile: /c}\nmachine: false\n';
const configOf = (yaml: string) => parseConfig(MQTT + yaml, 'albedo.yaml').config;

async function until(claim: () => boolean): Promise<void> {
  for (let n = 0; n < 250 && !claim(); n++) await sleep(20);
  expect(claim()).toBe(true);
}

test('an edit of the configuration leaves sockets, commands and files alone that it does not change', async () => {
  const count = join(root, 'starts');
  writeFileSync(count, '');
  const kept = `unix_socket: [{table: t, source: pushed, socket: kept.sock, expect: integer}]
run:
  - {table: t, source: long, frequency: 3600, expect: keyword, command: 'echo x >> ${count}; sleep 30'}
`;
  captures = new Captures({
    config: configOf(kept),
    root: rootAt(root),
    sink: {
      append: (unit) => void units.push(unit),
      hasRoom: () => true,
      position: () => null,
      positionKeys: () => [],
    },
    report: () => {},
    photos: {} as never,
    vitals: () => ({}) as never,
    taskLog: new TaskLog(),
    launcher: new TaskLauncher(rootAt(root)),
    onChange: () => {},
  });
  captures.start();
  const path = join(rootAt(root).socketDirectory, 'kept.sock');
  let isClosed = false;
  await sleep(200);
  const writer = connect(path).on('close', () => {
    isClosed = true;
  });
  writer.write('1\n');
  await until(() => units.length === 1);
  await until(() => readFileSync(count, 'utf8') === 'x\n');
  captures.update(
    configOf(`${kept}  - {table: t, source: other, frequency: 3600, expect: keyword, command: echo other}\n`),
  );
  await until(() => units.length === 2);
  writer.write('2\n');
  await until(() => units.length === 3);
  expect(isClosed).toBe(false);
  expect(readFileSync(count, 'utf8')).toBe('x\n');
  captures.update(configOf(''));
  await until(() => isClosed);
});
