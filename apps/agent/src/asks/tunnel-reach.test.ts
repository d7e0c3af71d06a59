import { expect, test } from 'vitest';
import { readReach } from '../config/reach.ts';
import { reachable } from './tunnel-reach.ts';

const reach = (host: string, port: number, allowed: boolean | string[], never: string[] = []) =>
  reachable(host, port, { allowed, never });

test.each(['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.4.5', '::1', 'fd00::1'])(
  'without a word of the plant tunnels lead to private networks such as that of %s',
  async (host) => expect(await reach(host, 80, true)).toBe(host),
);

test.each(['8.8.8.8', '172.32.0.1', '169.254.169.254', '2001:4860::1', 'fe80::1', '0.0.0.0'])(
  'and not to %s',
  async (host) => expect(reach(host, 80, true)).rejects.toThrow('does not connect to'),
);

test('a list says which hosts and ports are open, and nothing else is', async () => {
  const allowed = [
    '192.168.1.0/24:502',
    '10.0.0.5',
    '[fd00::/8]',
    '[fd00::9]:80',
    '8.8.8.8:53',
    'localhost:9',
  ];
  expect(await reach('192.168.1.77', 502, allowed)).toBe('192.168.1.77');
  expect(await reach('10.0.0.5', 1, allowed)).toBe('10.0.0.5');
  expect(await reach('fd00::9', 80, allowed)).toBe('fd00::9');
  expect(await reach('8.8.8.8', 53, allowed)).toBe('8.8.8.8');
  expect(await reach('localhost', 9, allowed)).toMatch(/^(127\.0\.0\.1|::1)$/);
  for (const [host, port] of [
    ['192.168.1.77', 80],
    ['192.168.2.1', 502],
    ['127.0.0.1', 9],
    ['fd00::9', 81],
  ] as const)
    await expect(reach(host, port, allowed)).rejects.toThrow('does not connect to');
});

test('what belongs to the cloud is closed whatever the device allows, by its name too', async () => {
  const never = ['127.0.0.0/8', '::1/128'];
  await expect(reach('127.0.0.1', 80, true, never)).rejects.toThrow('does not connect to');
  await expect(reach('localhost', 80, ['localhost'], never)).rejects.toThrow('does not connect to');
  await expect(reach('::ffff:127.0.0.1', 80, ['::ffff:127.0.0.1'], never)).rejects.toThrow();
});

test.each(['', '10.0.0.0/33', 'a/24', '10.0.0.1:0', '10.0.0.1:70000', 'a b', '::1', '10.0.0.1:x'])(
  'an entry such as "%s" is wrong',
  (entry) => expect(readReach(entry)).toBeNull(),
);
