import { BlockList, isIP } from 'node:net';

/** What cloud devices may connect to: all that their launcher joins, or the networks that the operator listed. */
export interface Reach {
  isAll: boolean;
  networks: readonly string[];
}

/** Why a plugin may not run with these arguments; null where it may. Names are not looked up: they could lead anywhere. */
export function refusalOf([verb, host = '']: readonly string[], reach: Reach): string | null {
  if (verb !== 'discover' && verb !== 'log') return 'A cloud device runs plugins with discover and log only.';
  if (reach.isAll) return null;
  const family = isIP(host);
  if (family === 0) return 'A cloud device of this server reaches machines by their address only.';
  return listOf(reach.networks).check(host, family === 6 ? 'ipv6' : 'ipv4')
    ? null
    : `Cloud devices of this server may not reach ${host}. Its operator lists what they may.`;
}

/** Throws for what is no network. */
export function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return list;
}
