import { spawn } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { connect } from 'node:net';
import { gateway } from './readings.ts';

const TIMEOUT_MS = 5000;
const SLOW_MS = 1000;
const NOT_TRIED = 'no attempt';

export interface Reachability {
  broker: string;
  publicAddress: string;
  gateway: string;
  nameServer: string;
}

/**
 * How far the network goes: `good`, `slow` (over a second) or `bad`. The broker is tried first, by name; only when it
 * does not answer the others are tried, each until one does, so that a healthy machine makes one connection.
 */
export async function reachability(host: string, port: number): Promise<Reachability> {
  const result: Reachability = {
    broker: await tryConnect(host, port),
    publicAddress: NOT_TRIED,
    gateway: NOT_TRIED,
    nameServer: NOT_TRIED,
  };
  if (result.broker !== 'bad') return result;
  result.publicAddress = await tryConnect('8.8.8.8', 53);
  if (result.publicAddress === 'bad') result.gateway = await pingGateway();
  else result.nameServer = await lookUp(host);
  return result;
}

function tryConnect(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const socket = connect({ host, port, timeout: TIMEOUT_MS });
    const end = (state: string): void => {
      socket.destroy();
      resolve(state);
    };
    socket.on('connect', () => end(performance.now() - startedAt > SLOW_MS ? 'slow' : 'good'));
    socket.on('timeout', () => end('bad'));
    socket.on('error', () => end('bad'));
  });
}

function pingGateway(): Promise<string> {
  const address = gateway();
  if (!address) return Promise.resolve('no gateway');
  return new Promise((resolve) => {
    const child = spawn('ping', ['-c', '1', '-W', '2', address], { stdio: 'ignore' });
    child.on('error', () => resolve(NOT_TRIED));
    child.on('close', (code) => resolve(code === 0 ? 'good' : 'bad'));
  });
}

async function lookUp(host: string): Promise<string> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  resolver.setServers(['8.8.8.8']);
  try {
    await resolver.resolve4(host);
    return 'good';
  } catch {
    // Whatever the reason, the name could not be found.
    return 'bad';
  }
}
