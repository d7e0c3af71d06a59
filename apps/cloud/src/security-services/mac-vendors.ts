import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

let loaded: Promise<ReadonlyMap<string, string>> | null = null;

/**
 * Who made the network card with this MAC address, by the register of the IEEE; empty where nobody is registered. Half of
 * all phones make their address up, which the second bit of its first byte says.
 */
export async function vendorOf(mac: string): Promise<string> {
  const digits = mac.replace(/[^0-9a-f]/gi, '').toUpperCase();
  const isMadeUp = (Number.parseInt(digits.slice(0, 2), 16) & 2) !== 0;
  if (isMadeUp) return '';
  loaded ??= load();
  return (await loaded).get(digits.slice(0, 6)) ?? '';
}

/** Names alone: the register has postal addresses as well, which are most of it. */
async function load(): Promise<ReadonlyMap<string, string>> {
  const file = fileURLToPath(import.meta.resolve('oui-data'));
  const entries = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
  return new Map(
    Object.entries(entries).map(([prefix, text]) => [prefix, (text.split('\n')[0] ?? '').trim()]),
  );
}
