import { isIPv6 } from 'node:net';

/**
 * What limits of attempts count for: an IPv4 address, or the /64 of an IPv6 address, because whoever has one address of
 * it has all of them. Anything else is answered as it came.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '');
  if (!isIPv6(plain)) return address;
  // The URL parser writes every IPv6 address in one way, IPv4 parts included.
  const written = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [before = '', after] = written.split('::');
  const left = groupsOf(before);
  const right = groupsOf(after ?? '');
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  const mapped = /^0:0:0:0:0:ffff:(\w+):(\w+)$/.exec(groups.join(':'));
  if (mapped) return [mapped[1], mapped[2]].flatMap((one) => bytesOf(one ?? '0')).join('.');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

const groupsOf = (text: string): string[] => text.split(':').filter(Boolean);

const bytesOf = (group: string): number[] => {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 0xff];
};
