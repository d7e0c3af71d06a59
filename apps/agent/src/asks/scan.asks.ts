import { createSocket } from 'node:dgram';
import { isIPv4, Socket } from 'node:net';
import type { FoundPort, Neighbour } from '@albedo/contract/link/link.network';
import { mayReach } from '../confinement.ts';
import { AskError } from '../link/ask-error.ts';
import type { Asked, AskHandlers } from './asks.ts';
import { modbusScan } from './modbus-scan.ts';
import { neighbours } from './network.asks.ts';

/** Addresses of one scan, and connections that it tries in all. */
const MAX_HOSTS = 4096;
const MAX_TRIES = 200_000;
const SIDE_BY_SIDE = 200;
const CONNECT_MS = 700;
/** How long answers to the last question are waited for, ms. */
const ARP_WAIT_MS = 1500;

/** Scans of the plant's network, made with connections alone: the device needs no tool for them. */
export const scanAsks: Pick<AskHandlers, 'scan.ports' | 'scan.arp' | 'scan.modbus'> = {
  'scan.ports': async (asked) => {
    const hosts = hostsOf(asked.input.targets);
    const ports = numbersOf(asked.input.ports, 65_535);
    if (hosts.length * ports.length > MAX_TRIES) {
      throw new AskError(
        'invalid',
        `That is more than ${MAX_TRIES} ports in all. Scan fewer addresses or ports.`,
      );
    }
    const tries = ports.flatMap((port) => hosts.map((ip) => ({ ip, port })));
    const found: FoundPort[] = [];
    await eachOf(tries, asked, async ({ ip, port }) => {
      if (found.length < 5000 && (await isOpen(ip, port)))
        found.push({ ip, port, service: SERVICES[port] ?? null });
    });
    return { hosts: hosts.length, ports: found.toSorted((a, b) => order(a.ip, b.ip) || a.port - b.port) };
  },
  'scan.arp': async (asked) => {
    const hosts = new Set(hostsOf(asked.input.targets));
    // Whoever is sent anything is asked for first who they are; the kernel keeps the answer.
    const socket = createSocket('udp4');
    socket.on('error', () => {});
    try {
      await eachOf([...hosts], asked, async (ip) => {
        await new Promise<void>((done) => socket.send('', 9, ip, () => done()));
        await pause(5);
      });
      await pause(ARP_WAIT_MS);
    } finally {
      socket.close();
    }
    const found = neighbours().filter(({ ip }: Neighbour) => hosts.has(ip));
    return { neighbours: found.toSorted((a, b) => order(a.ip, b.ip)) };
  },
  'scan.modbus': async (asked) => {
    const { targets, port, units } = asked.input;
    const hosts = hostsOf(targets);
    const addresses = numbersOf(units, 255, 0);
    const found: Awaited<ReturnType<typeof modbusScan>> = [];
    await eachOf(hosts, asked, async (ip) => {
      found.push(...(await modbusScan({ ip, port, units: addresses, signal: asked.signal })));
    });
    return { found: found.toSorted((a, b) => order(a.ip, b.ip) || a.unit - b.unit).slice(0, 2000) };
  },
};

/** Does it for all, many at a time, and says how far it is. */
async function eachOf<T>(
  all: readonly T[],
  { signal, tell }: Pick<Asked, 'signal' | 'tell'>,
  task: (one: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  let toldAt = performance.now();
  const work = async () => {
    for (let one = all[next++]; one !== undefined; one = all[next++]) {
      signal.throwIfAborted();
      await task(one);
      if (performance.now() - toldAt < 500) continue;
      toldAt = performance.now();
      await tell({ done: Math.min(1, next / all.length) });
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
}

function isOpen(ip: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new Socket();
    const end = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.setTimeout(CONNECT_MS, () => end(false));
    socket.on('error', () => end(false));
    socket.connect(port, ip, () => end(true));
  });
}

/** `192.168.1.5`, `192.168.1.10-40`, `192.168.1.0/24`, with commas or spaces between. */
export function hostsOf(targets: string): string[] {
  const hosts = new Set<number>();
  for (const part of targets.split(/[\s,]+/).filter(Boolean)) {
    const [first, last] = rangeOf(part);
    if (last < first) throw new AskError('invalid', `${part} ends before it begins.`);
    if (hosts.size + last - first >= MAX_HOSTS) {
      throw new AskError('invalid', `One scan takes at most ${MAX_HOSTS} addresses.`);
    }
    for (let host = first; host <= last; host++) hosts.add(host);
  }
  if (hosts.size === 0) throw new AskError('invalid', 'Give at least one address.');
  const all = [...hosts].map((host) =>
    [24, 16, 8, 0].map((bits) => Math.floor(host / 2 ** bits) % 256).join('.'),
  );
  const closed = all.find((ip) => !mayReach(ip));
  if (closed) throw new AskError('refused', `Cloud devices of this server may not reach ${closed}.`);
  return all;
}

function rangeOf(part: string): [number, number] {
  const [, network, bits] = /^([\d.]+)\/(\d{1,2})$/.exec(part) ?? [];
  if (network && bits) {
    const size = 2 ** (32 - Number(bits));
    if (Number(bits) > 32) throw new AskError('invalid', `${part} is no network.`);
    const start = Math.floor(numberOf(network) / size) * size;
    // The first and the last address of a network belong to nobody.
    return size > 2 ? [start + 1, start + size - 2] : [start, start + size - 1];
  }
  const [, from, to] = /^([\d.]+)-([\d.]+)$/.exec(part) ?? [];
  if (!from || !to) return [numberOf(part), numberOf(part)];
  const full = to.includes('.') ? to : from.replace(/\d+$/, to);
  return [numberOf(from), numberOf(full)];
}

function numberOf(ip: string): number {
  if (!isIPv4(ip)) throw new AskError('invalid', `${ip} is no IPv4 address.`);
  return ip.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
}

const order = (a: string, b: string): number => numberOf(a) - numberOf(b);

/** `22,80,500-510` */
export function numbersOf(text: string, most: number, least = 1): number[] {
  const numbers = new Set<number>();
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const [, from, to] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to ?? from)];
    if (from === undefined || first < least || last > most || last < first) {
      throw new AskError('invalid', `${part} is not between ${least} and ${most}.`);
    }
    for (let one = first; one <= last; one++) numbers.add(one);
  }
  return [...numbers];
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** What is usually behind a port, in plants. */
const SERVICES: Readonly<Record<number, string>> = {
  21: 'FTP',
  22: 'SSH',
  23: 'Telnet',
  53: 'DNS',
  80: 'HTTP',
  102: 'IEC 61850 / S7',
  161: 'SNMP',
  443: 'HTTPS',
  445: 'SMB',
  502: 'Modbus TCP',
  1502: 'Modbus TCP',
  1883: 'MQTT',
  2404: 'IEC 60870-5-104',
  3306: 'MySQL',
  4840: 'OPC UA',
  5432: 'PostgreSQL',
  5900: 'VNC',
  8080: 'HTTP',
  8443: 'HTTPS',
  8883: 'MQTT over TLS',
  20000: 'DNP3',
  44818: 'EtherNet/IP',
  47808: 'BACnet',
};
