import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import type { Neighbour, NetworkInterface, OpenService } from '@albedo/contract/link/link.network';
import type { AskHandlers } from './asks.ts';

/** What the kernel says of the network, read from its files: no program is needed. */
export const networkAsks: Pick<AskHandlers, 'network.read' | 'network.services'> = {
  'network.read': async () => ({
    hostname: hostname().slice(0, 255),
    interfaces: interfaces(),
    gateway: gateway(),
    nameServers: nameServers(),
    neighbours: neighbours(),
  }),
  'network.services': async () => ({ services: openServices() }),
};

function interfaces(): NetworkInterface[] {
  const addressed = networkInterfaces();
  const names = new Set([...list('/sys/class/net'), ...Object.keys(addressed)]);
  return [...names]
    .toSorted()
    .slice(0, 200)
    .map((name) => {
      const entries = addressed[name] ?? [];
      const [first] = entries;
      return {
        name: name.slice(0, 60),
        mac: first?.mac ?? read(`/sys/class/net/${name}/address`).trim(),
        isUp: entries.length > 0 || read(`/sys/class/net/${name}/operstate`).trim() === 'up',
        isInternal: first?.internal ?? name === 'lo',
        addresses: entries
          .slice(0, 64)
          .map(({ address, cidr }) => ({ address, prefix: Number(cidr?.split('/')[1] ?? 0) })),
      };
    });
}

/** The address behind the default route; the kernel writes it in hexadecimal, lowest byte first. */
function gateway(): string | null {
  const line = rows('/proc/net/route').find(([, destination]) => destination === '00000000');
  return line?.[2] ? ipv4Of(line[2]) : null;
}

const nameServers = (): string[] =>
  [...read('/etc/resolv.conf').matchAll(/^nameserver\s+(\S+)/gm)]
    .flatMap(([, ip]) => ip?.slice(0, 80) ?? [])
    .slice(0, 20);

/** The kernel's table of who is at which address. */
export const neighbours = (): Neighbour[] =>
  rows('/proc/net/arp')
    .flatMap(([ip, , flags, mac, , name]) =>
      ip && mac && name && flags !== '0x0' && mac !== '00:00:00:00:00:00'
        ? [{ ip, mac, interface: name }]
        : [],
    )
    .slice(0, 2000);

const LISTENING = '0A';
const TABLES = [
  ['tcp', '/proc/net/tcp'],
  ['tcp', '/proc/net/tcp6'],
  ['udp', '/proc/net/udp'],
  ['udp', '/proc/net/udp6'],
] as const;

function openServices(): OpenService[] {
  const holders = socketHolders();
  const found = new Map<string, OpenService>();
  for (const [protocol, file] of TABLES) {
    for (const row of rows(file)) {
      const [, local = '', remote = '', state] = row;
      const isOpen = protocol === 'tcp' ? state === LISTENING : /^0+:0000$/.test(remote);
      const [hex, portHex] = local.split(':');
      if (!isOpen || !hex || !portHex) continue;
      const address = hex.length === 8 ? ipv4Of(hex) : ipv6Of(hex);
      const port = Number.parseInt(portHex, 16);
      const process = holders.get(row[9] ?? '') ?? null;
      found.set(`${protocol} ${address} ${port}`, { protocol, address, port, process });
    }
  }
  return [...found.values()].toSorted((a, b) => a.port - b.port).slice(0, 2000);
}

/** Which program has which socket, by the socket's number; only those that the user of the agent may see. */
function socketHolders(): Map<string, string> {
  const holders = new Map<string, string>();
  for (const pid of list('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const name = read(`/proc/${pid}/comm`).trim().slice(0, 100);
    for (const fd of list(`/proc/${pid}/fd`)) {
      const inode = /^socket:\[(\d+)\]$/.exec(linkAt(`/proc/${pid}/fd/${fd}`))?.[1];
      if (inode) holders.set(inode, name);
    }
  }
  return holders;
}

const ipv4Of = (hex: string): string => [...Buffer.from(hex, 'hex')].toReversed().join('.');

/** Four words of four bytes each, lowest byte first; the rest is the address as people write it. */
function ipv6Of(hex: string): string {
  const bytes = Buffer.from(hex, 'hex').swap32();
  if (bytes.subarray(0, 12).toString('hex') === `${'0'.repeat(20)}ffff`)
    return [...bytes.subarray(12)].join('.');
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16)).join(':');
  return new URL(`http://[${groups}]`).hostname.slice(1, -1);
}

/** The lines of a table of the kernel without its head, as words. */
const rows = (file: string): string[][] =>
  read(file)
    .split('\n')
    .slice(1)
    .filter(Boolean)
    .map((line) => line.trim().split(/\s+/));

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
