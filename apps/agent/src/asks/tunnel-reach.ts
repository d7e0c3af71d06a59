import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { promisify } from 'node:util';
import { readReach } from '../config/reach.ts';
import { AskError } from '../link/ask-error.ts';

const resolve = promisify(lookup);

/** The device itself and private networks. Link-local addresses are not: the keys of rented machines lie there. */
const PRIVATE = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
] as const;

export interface Reach {
  /** Entries such as `192.168.1.0/24:502`, `meter.local:80` or `10.0.0.5`; true for the private networks at any port. */
  allowed: boolean | readonly string[];
  /** Networks that are closed whatever is allowed: those of the cloud. */
  never: readonly string[];
}

/**
 * The address to connect to. A name is looked up here and now, and each of its addresses has to be allowed, so that it does
 * not mean another one a moment later. Throws AskError.
 */
export async function reachable(host: string, port: number, { allowed, never }: Reach): Promise<string> {
  const addresses = await addressesOf(host);
  const closed = listOf(never);
  for (const { address } of addresses) {
    if (closed.check(address, familyOf(address))) throw refusalOf(host, port);
    const isOpen =
      typeof allowed === 'boolean'
        ? allowed && listOf(PRIVATE).check(address, familyOf(address))
        : allowed.some((entry) => fits(entry, host, address, port));
    if (!isOpen) throw refusalOf(host, port);
  }
  const [first] = addresses;
  if (!first) throw new AskError('unable', `There is no address for ${host}.`);
  return first.address;
}

function fits(entry: string, host: string, address: string, port: number): boolean {
  const read = readReach(entry);
  if (!read || (read.port !== null && read.port !== port)) return false;
  if (isIP(read.host) === 0) return read.host === host;
  const bits = read.bits ?? (isIP(read.host) === 4 ? 32 : 128);
  return listOf([`${read.host}/${bits}`]).check(address, familyOf(address));
}

async function addressesOf(host: string): Promise<LookupAddress[]> {
  if (isIP(host) !== 0) return [{ address: host, family: isIP(host) }];
  try {
    return await resolve(host, { all: true });
  } catch {
    throw new AskError('unable', `${host} is not known in the network of the device.`);
  }
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

const refusalOf = (host: string, port: number): AskError =>
  new AskError(
    'refused',
    `The device does not connect to ${host}:${port}. Its own configuration says where tunnels may lead (remote: tunnels); by default to private networks.`,
  );
