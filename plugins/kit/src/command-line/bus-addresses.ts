import { InputError } from './input-error.ts';

/**
 * Reads `1-4,6,10-20` into numbers, in the order given and each once. Empty items are skipped.
 *
 * Throws `InputError` for anything else, for a range that falls, and for addresses outside the limits.
 */
export function parseBusAddresses(text: string, lowest = 0, highest = 255): number[] {
  const addresses = new Set<number>();
  for (const item of text.split(',').map((part) => part.trim())) {
    if (item === '') continue;
    const match = /^(\d+)(?:-(\d+))?$/.exec(item);
    if (!match) throw new InputError(`bus addresses: "${item}" is neither a number nor a range such as 1-4`);
    const from = Number(match[1]);
    const to = Number(match[2] ?? match[1]);
    if (from > to) throw new InputError(`bus addresses: the range ${item} ends before it begins`);
    if (from < lowest || to > highest) {
      throw new InputError(`bus addresses: ${item} is outside ${lowest} to ${highest}`);
    }
    for (let address = from; address <= to; address++) addresses.add(address);
  }
  if (addresses.size === 0) throw new InputError('bus addresses: none given');
  return [...addresses];
}
