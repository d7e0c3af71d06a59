import ipaddr from 'ipaddr.js';

const NETWORK_BITS = 64;

/**
 * What limits of attempts count for: an IPv4 address, or the /64 of an IPv6 address, because whoever has one address of
 * it has all of them. Anything else is answered as it came.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  // An IPv4 address in IPv6 clothes is the IPv4 address.
  const plain = ipaddr.process(address);
  if (!(plain instanceof ipaddr.IPv6)) return plain.toString();
  const groups = plain.parts.slice(0, NETWORK_BITS / 16).map((group) => group.toString(16));
  return `${groups.join(':')}::/${NETWORK_BITS}`;
}
