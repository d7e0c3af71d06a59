import { areNotMeasured, hexOf, isNotMeasured } from '@albedo/plugin-kit/fields/not-measured';
import { scaled } from '@albedo/plugin-kit/fields/scale';
import type { Value } from '@albedo/plugin-kit/records/record';
import type { Item } from './item.ts';

/** What the commands gave, by number; a register that could not be read is missing. */
export type Registers = Map<number, { value: number; isLowWordFirst: boolean }>;

/** The value of an item; null when a register is missing or says "not measured", when its condition does not hold, or when it is no number. */
export function itemValue(item: Item, registers: Registers): Value {
  const { condition } = item;
  if (condition) {
    const register = registers.get(condition.register);
    if (!register || ((register.value >> condition.bit) & 1) === 0) return null;
  }
  if (item.type === 'string') return text(item, registers);
  if (item.type === 'bit') {
    const words = wordsOf(item, item.register, registers);
    if (!words || areNotMeasured(item.notMeasured, words) || isNotMeasured(item.notMeasured, words[0]))
      return null;
    return (((words[0] ?? 0) >> item.bit) & 1) === 1;
  }
  let raw = 0;
  for (const first of [item.register, ...item.addends]) {
    const value = rawNumber(item, first, registers);
    if (value === null || !Number.isFinite(value)) return null;
    raw += value;
  }
  // As digits, where a number would lose the last ones.
  const isPlain = item.factor === 1 && item.offset === 0 && item.type !== 'freal';
  if (isPlain && !Number.isSafeInteger(raw)) return exact(item, registers);
  if (item.names) return item.names.get(raw) ?? String(raw);
  return scaled(raw, item);
}

function wordsOf(item: Item, first: number, registers: Registers): number[] | null {
  const found = Array.from({ length: item.length }, (_, index) => registers.get(first + index));
  if (found.some((register) => register === undefined)) return null;
  const words = found.map((register) => register?.value ?? 0);
  return found[0]?.isLowWordFirst ? words.reverse() : words;
}

function rawNumber(item: Item, first: number, registers: Registers): number | null {
  const words = wordsOf(item, first, registers);
  if (!words) return null;
  const value = item.type === 'freal' ? float(words) : integer(item, words);
  return isUnmeasured(item, words, value) ? null : Number(value);
}

/** A number that the item gives a name is one, whatever its type says. */
function isUnmeasured(item: Item, words: number[], value: number | bigint): boolean {
  if (areNotMeasured(item.notMeasured, words) || isNotMeasured(item.notMeasured, value)) return true;
  return item.nothing.includes(hexOf(words)) && !item.names?.has(Number(value));
}

function integer({ type }: Item, words: number[]): bigint {
  const unsigned = words.reduce((sum, word) => sum * 0x1_0000n + BigInt(word), 0n);
  return type === 'udec' ? unsigned : BigInt.asIntN(words.length * 16, unsigned);
}

function exact(item: Item, registers: Registers): string | null {
  let sum = 0n;
  for (const first of [item.register, ...item.addends]) {
    const words = wordsOf(item, first, registers);
    if (!words) return null;
    sum += integer(item, words);
  }
  return String(sum);
}

/** Source: IEEE 754, binary32 and binary64, most significant word first. */
function float(words: number[]): number {
  const bytes = new DataView(new ArrayBuffer(words.length * 2));
  for (const [index, word] of words.entries()) bytes.setUint16(index * 2, word);
  return words.length === 4 ? bytes.getFloat64(0) : Number(bytes.getFloat32(0).toPrecision(7));
}

function text(item: Item, registers: Registers): string | null {
  const words = wordsOf(item, item.register, registers);
  if (!words) return null;
  const bytes = Buffer.from(words.flatMap((word) => [word >> 8, word & 0xff]));
  const end = bytes.indexOf(0);
  const value = bytes.toString('latin1', 0, end < 0 ? bytes.length : end).trim();
  return areNotMeasured(item.notMeasured, words) || isNotMeasured(item.notMeasured, value) ? null : value;
}
