import { BlockList } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Neighbour, NetworkInterface } from '@albedo/contract/link/link.network';
import type { ScanReason } from '@albedo/contract/security-services/security-services.schema';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Seen } from './differences.ts';
import { vendorOf } from './mac-vendors.ts';
import type { ScanEnd, Scanner, ScanOf } from './scan-end.ts';

/** A device looks at 4096 addresses at once at most. */
const LARGEST_PREFIX = 20;
/**
 * So long after it was last spoken to, the kernel of a device has given up a host that does not answer any more: it waits
 * 5 s before it asks three times, once a second. Until then it tells of hosts that left long ago.
 */
const SETTLE_MS = 10_000;
/** Networks of programs on the device itself, and tunnels. */
const VIRTUAL = /^(docker|br-|veth|virbr|lxc|lxd|cni|flannel|cali|podman|tun|tap|wg|ppp|dummy|tailscale)/;
const NO_HOST = new Set(['00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff']);

export interface InternalScanOptions {
  deviceAsks: Pick<DeviceAsks, 'ask'>;
  /** What is known of hosts in the network of a device, by their addresses. */
  modelsAt: (device: string) => Promise<ReadonlyMap<string, string>>;
  settleMs?: number;
}

/** Has a device look who is in its networks, by ARP. */
export class InternalScan implements Scanner {
  readonly #options: InternalScanOptions;

  constructor(options: InternalScanOptions) {
    this.#options = options;
  }

  async scan({ device, signal }: ScanOf): Promise<ScanEnd> {
    const { deviceAsks, settleMs = SETTLE_MS } = this.#options;
    let networks: Network[] = [];
    const looked: Network[] = [];
    const found: Neighbour[] = [];
    let reason: ScanReason | null = null;
    try {
      const read = await deviceAsks.ask(device, 'network.read', {}, { signal });
      networks = networksOf(read.interfaces);
      if (networks.length === 0) return { failed: 'no_network', target: '' };
      for (const network of networks) {
        if (network.prefix < LARGEST_PREFIX) {
          reason = 'network_too_large';
          continue;
        }
        const { neighbours } = await deviceAsks.ask(
          device,
          'scan.arp',
          { targets: network.text },
          { signal },
        );
        found.push(...neighbours);
        looked.push(network);
      }
      if (looked.length > 0) await pause(settleMs, undefined, { signal });
      const after = await deviceAsks.ask(device, 'network.read', {}, { signal });
      const stays = new Set(after.neighbours.map(hostOf));
      // A table that is full says nothing of who is missing.
      const isWhole = after.neighbours.length < TABLE_FULL;
      const there = isWhole ? found.filter((one) => stays.has(hostOf(one))) : found;
      // Of a network that is too large it tells whom it happens to know.
      const large = networks.filter((one) => !looked.includes(one));
      const inLarge = after.neighbours.filter(({ ip }) => large.some((one) => one.has(ip)));
      return await this.#end(device, { there: [...there, ...inLarge], networks, looked, reason });
    } catch (error) {
      signal.throwIfAborted();
      const why = reasonOf(error);
      if (looked.length === 0) return { failed: why, target: textOf(networks) };
      return this.#end(device, { there: found, networks, looked: [], reason: why });
    }
  }

  async #end(
    device: string,
    of: { there: Neighbour[]; networks: Network[]; looked: Network[]; reason: ScanReason | null },
  ): Promise<ScanEnd> {
    const { there, networks, looked, reason } = of;
    const seen = await this.#hosts(device, there);
    return {
      seen,
      isComplete: reason === null,
      covers: ({ addresses }) => addresses.every((ip) => looked.some((network) => network.has(ip))),
      target: textOf(networks),
      reason,
    };
  }

  async #hosts(device: string, neighbours: readonly Neighbour[]): Promise<Seen[]> {
    const models = await this.#options.modelsAt(device);
    const byMac = Map.groupBy(neighbours, ({ mac }) => mac.toLowerCase());
    return Promise.all(
      [...byMac]
        .filter(([mac]) => !NO_HOST.has(mac) && mac.length <= 40)
        .map(async ([mac, those]) => {
          const addresses = [...new Set(those.map(({ ip }) => ip))].toSorted(byNumber);
          const model = addresses.map((ip) => models.get(ip)).find(Boolean);
          return { key: mac, addresses, description: model ?? (await vendorOf(mac)) };
        }),
    );
  }
}

/** Neighbours that a device tells of at most. */
const TABLE_FULL = 2000;

interface Network {
  /** As it is scanned: `192.168.1.0/24`. */
  text: string;
  prefix: number;
  has(ip: string): boolean;
}

/** The IPv4 networks that a device is in with a card of its own. */
function networksOf(interfaces: readonly NetworkInterface[]): Network[] {
  const networks = new Map<string, Network>();
  for (const { name, isUp, isInternal, addresses } of interfaces) {
    if (!isUp || isInternal || VIRTUAL.test(name)) continue;
    for (const { address, prefix } of addresses) {
      // A link between two machines has no hosts, and what begins with 169.254 was made up for want of a network.
      if (!/^[\d.]+$/.test(address) || prefix < 1 || prefix > 30 || address.startsWith('169.254.')) continue;
      const text = `${startOf(address, prefix)}/${prefix}`;
      const list = new BlockList();
      list.addSubnet(address, prefix);
      networks.set(text, { text, prefix, has: (ip) => list.check(ip) });
    }
  }
  return [...networks.values()];
}

function startOf(address: string, prefix: number): string {
  const size = 2 ** (32 - prefix);
  const start = Math.floor(numberOf(address) / size) * size;
  return [24, 16, 8, 0].map((bits) => Math.floor(start / 2 ** bits) % 256).join('.');
}

const numberOf = (ip: string): number => ip.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
const byNumber = (a: string, b: string): number => numberOf(a) - numberOf(b);
const hostOf = ({ ip, mac }: Neighbour): string => `${ip} ${mac.toLowerCase()}`;
const textOf = (networks: readonly Network[]): string => networks.map(({ text }) => text).join(', ');

function reasonOf(error: unknown): ScanReason {
  switch (error instanceof AppError ? error.error : '') {
    case 'device.offline':
      return 'offline';
    case 'device.lost':
    case 'device.no_answer':
      return 'lost';
    case 'device.refused':
      return 'refused';
    case 'device.agent_old':
      return 'agent_old';
    default:
      return 'failed';
  }
}
