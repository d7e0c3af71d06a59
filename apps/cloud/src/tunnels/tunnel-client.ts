#!/usr/bin/env node
/**
 * The command-line client of tunnels: listens on this machine and carries each connection through the cloud to a port in
 * the network of a device. It needs Node alone, and is handed out as it stands here without its types.
 */
import { type ClientRequest, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { parseArgs } from 'node:util';

const USAGE = `Usage: ALBEDO_TUNNEL=<token> albedo-tunnel <address of the cloud> [--port <local port>] [--host <local address>]

The token is shown once, where the tunnel is opened: on the page of the device, under Tunnels.
`;

interface ClientOptions {
  /** Address of the cloud, such as https://albedo.example.org. */
  cloud: string;
  token: string;
  host: string;
  /** 0 takes a free one. */
  port: number;
  say: (line: string) => void;
}

/** Listens until it is closed; resolves when it does. Errors: what keeps the local port from being listened to, in words. */
export async function listenForTunnel({ cloud, token, host, port, say }: ClientOptions): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (socket) =>
    carry(socket, { cloud, token, say }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(
              `Something on this machine listens on port ${port} already. Choose another one with --port.`,
            )
          : error,
      ),
    );
    server.listen(port, host, () => resolve());
  });
  return server;
}

type Door = Pick<ClientOptions, 'cloud' | 'token'>;

/** GET takes a connection, OPTIONS asks whether there would be one. */
function knock(method: 'GET' | 'OPTIONS', { cloud, token }: Door): ClientRequest {
  const url = new URL('/api/v1/tunnels/connect', cloud);
  const headers = { connection: 'Upgrade', upgrade: 'albedo-tunnel', authorization: `Bearer ${token}` };
  return (url.protocol === 'https:' ? secure : plain)(url, { method, headers });
}

/** Tells in words why a connection was not given; null where it was. */
function whenAnswered(ask: ClientRequest, told: (failure: string | null) => void): void {
  ask.once('error', (error) => told(`No connection: ${error.message || 'nothing answers'}`));
  ask.once('response', (reply) => {
    let text = '';
    reply.on('data', (part: Buffer) => {
      if (text.length < 10_000) text += part.toString();
    });
    reply.once('end', () =>
      told(reply.statusCode === 204 ? null : `Refused: ${messageIn(text) ?? `status ${reply.statusCode}`}`),
    );
  });
}

/** Why nothing would come through the tunnel; null where it holds. Opens nothing in the plant. */
function failureOf(door: Door): Promise<string | null> {
  return new Promise((resolve) => {
    const ask = knock('OPTIONS', door);
    whenAnswered(ask, resolve);
    ask.end();
  });
}

function carry(socket: Socket, { say, ...door }: Door & Pick<ClientOptions, 'say'>): void {
  const ask = knock('GET', door);
  const end = () => {
    ask.destroy();
    socket.destroy();
  };
  socket.once('error', end);
  socket.once('close', () => ask.destroy());
  whenAnswered(ask, (failure) => {
    if (failure) say(failure);
    end();
  });
  ask.once('upgrade', (_reply, through, head) => {
    if (head.length > 0) through.unshift(head);
    pipeline(socket, through, (error) => {
      if (error) through.destroy();
    });
    pipeline(through, socket, (error) => {
      if (error) socket.destroy();
    });
    socket.resume();
  });
  ask.end();
}

function messageIn(text: string): string | null {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : null;
  } catch {
    return null;
  }
}

/** Runs until somebody stops it. */
export async function runTunnel(args: string[], say: (line: string) => void): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { port: { type: 'string', default: '0' }, host: { type: 'string', default: '127.0.0.1' } },
  });
  const [cloud = ''] = positionals;
  const token = process.env.ALBEDO_TUNNEL ?? '';
  const port = Number(values.port);
  if (!/^https?:\/\//.test(cloud) || token === '' || !Number.isInteger(port) || port < 0 || port > 65_535) {
    say(USAGE);
    return 2;
  }
  const failure = await failureOf({ cloud, token });
  if (failure) {
    say(failure);
    return 1;
  }
  const server = await listenForTunnel({ cloud, token, host: values.host, port, say });
  const address = server.address();
  const taken = typeof address === 'object' && address ? address.port : port;
  say(`Listening on ${values.host}:${taken}. Stop with Ctrl-C.`);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  server.close();
  return 0;
}

if (process.argv[1]?.endsWith('albedo-tunnel.mjs')) {
  runTunnel(process.argv.slice(2), (line) => console.log(line)).then(
    (code) => process.exit(code),
    (error: Error) => {
      console.error(error.message);
      process.exit(1);
    },
  );
}
