import { BlockList, isIP } from 'node:net';

/**
 * An agent that a server runs for somebody: it starts no programs but the plugins of its pack, through the process that
 * keeps it, and connects to nothing but what the server's operator allows. The permission model of Node and its keeper
 * hold that too; this says it in words that people read.
 */
export interface Confinement {
  reach: 'all' | BlockList;
}

let confinement: Confinement | null = null;

/** From now on, for good. `reach`: networks with commas between, or `all`. */
export function confine(reach: string): void {
  confinement = { reach: reach === 'all' ? 'all' : networksOf(reach) };
}

export const isConfined = (): boolean => confinement !== null;

/** Whether a connection to the address is allowed here. A name could lead anywhere. */
export function mayReach(address: string): boolean {
  if (!confinement || confinement.reach === 'all') return true;
  const family = isIP(address);
  return family !== 0 && confinement.reach.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

function networksOf(text: string): BlockList {
  const list = new BlockList();
  for (const network of text.split(',').filter(Boolean)) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return list;
}
