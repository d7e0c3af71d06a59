import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Say } from './command.ts';
import { CONTROL_SOCKET, type ControlReply } from './control.server.ts';

/**
 * Has the server that runs on the data folder do the command. Answers its exit code; null when no server runs there.
 */
export async function askServer(
  dataDir: string,
  request: { command: string; args: readonly string[] },
  say: Say,
): Promise<number | null> {
  const socket = await connect(join(dataDir, CONTROL_SOCKET));
  if (!socket) return null;
  socket.write(`${JSON.stringify(request)}\n`);
  for await (const line of createInterface({ input: socket })) {
    const reply = JSON.parse(line) as ControlReply;
    if ('exit' in reply) {
      socket.destroy();
      return reply.exit;
    }
    say(reply.say);
  }
  say('The server ended before the command did.');
  return 1;
}

async function connect(path: string): Promise<Socket | null> {
  const socket = createConnection(path);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    socket.destroy();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return null;
    throw error;
  }
}
