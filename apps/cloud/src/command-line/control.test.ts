import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Commands } from './command.ts';
import { askServer } from './control.client.ts';
import { CONTROL_SOCKET, ControlServer } from './control.server.ts';

let folder = '';
let server: ControlServer;
const gone = Promise.withResolvers<void>();

const commands: Commands = {
  greet: async ([name = 'nobody'], say) => {
    say(`Hello ${name}`);
    return 3;
  },
  talk: async (_args, say, signal) => {
    signal.addEventListener('abort', () => gone.resolve());
    while (!signal.aborted) {
      say('x'.repeat(100_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return 0;
  },
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-control-'));
  server = new ControlServer({ commands: () => commands, log: pino({ level: 'silent' }) });
  await server.listen(folder);
});
afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function connected(): Promise<Socket> {
  const socket = createConnection(join(folder, CONTROL_SOCKET));
  await once(socket, 'connect');
  return socket;
}
const greeted = async () => {
  const said: string[] = [];
  const code = await askServer(folder, { command: 'greet', args: ['Ida'] }, (line) => said.push(line));
  return { code, said };
};

test('a command says its lines and ends with its code', async () => {
  expect(await greeted()).toEqual({ code: 3, said: ['Hello Ida'] });
});

// Such as `albedo code export … | head`.
test('a terminal that leaves in the middle of the answer ends its command and nothing else', async () => {
  const socket = await connected();
  socket.write(`${JSON.stringify({ command: 'talk', args: [] })}\n`);
  await once(socket, 'readable');
  socket.destroy();
  await gone.promise;
  expect(await greeted()).toMatchObject({ code: 3 });
});

test.each([
  ['nothing', ''],
  ['no JSON', '{'],
  ['no command of that name', JSON.stringify({ command: 'constructor', args: [] })],
  ['a line without end', 'x'.repeat(100_000)],
])('%s is refused, and the next one is served', async (_what, text) => {
  const socket = await connected();
  socket.on('error', () => {});
  socket.resume();
  socket.end(text.length > 1000 ? text : `${text}\n`);
  await once(socket, 'close');
  expect(await greeted()).toMatchObject({ code: 3 });
});
