#!/usr/bin/env node
/**
 * The command-line client of tunnels: listens on this machine and carries each connection through the cloud to a port in
 * the network of a device. It needs Node alone, and is handed out as it stands here without its types.
 */
import { request as plain } from 'node:http';
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

/** Listens until it is closed; resolves when it does. Throws what the local port cannot be listened to for. */
export async function listenForTunnel({ cloud, token, host, port, say }: ClientOptions): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (socket) =>
    carry(socket, { cloud, token, say }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  return server;
}

function carry(socket: Socket, { cloud, token, say }: Pick<ClientOptions, 'cloud' | 'token' | 'say'>): void {
  const url = new URL('/api/v1/tunnels/connect', cloud);
  const ask = (url.protocol === 'https:' ? secure : plain)(url, {
    headers: { connection: 'Upgrade', upgrade: 'albedo-tunnel', authorization: `Bearer ${token}` },
  });
  const end = () => {
    ask.destroy();
    socket.destroy();
  };
  socket.once('error', end);
  socket.once('close', () => ask.destroy());
  ask.once('error', (error) => {
    say(`No connection: ${error.message}`);
    end();
  });
  ask.once('response', (reply) => {
    let text = '';
    reply.on('data', (part: Buffer) => {
      if (text.length < 10_000) text += part.toString();
    });
    reply.once('end', () => {
      say(`Refused: ${messageIn(text) ?? `status ${reply.statusCode}`}`);
      end();
    });
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
