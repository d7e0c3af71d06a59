import { InputError } from '../command-line/input-error.ts';

/** How a machine keeps a number in its registers. */
export interface RegisterType {
  base: 'signed' | 'unsigned' | 'float';
  registers: 1 | 2 | 4;
  /** What stands there while there is nothing to tell, as hexadecimal digits; the first one is what the type names. */
  nothing: readonly [string, ...string[]];
}

const type = (
  base: RegisterType['base'],
  registers: RegisterType['registers'],
  ...nothing: [string, ...string[]]
): RegisterType => ({ base, registers, nothing });

/**
 * Types that name what they say while there is nothing to tell. Source: SunSpec Device Information Model 1.2, table of
 * types. An accumulator says 0 there; many makers fill it with ones at night. Every NaN is none, not only the one named.
 */
export const REGISTER_TYPES = {
  int16: type('signed', 1, '8000'),
  uint16: type('unsigned', 1, 'ffff'),
  acc16: type('unsigned', 1, '0000', 'ffff'),
  enum16: type('unsigned', 1, 'ffff'),
  bitfield16: type('unsigned', 1, 'ffff'),
  int32: type('signed', 2, '80000000'),
  uint32: type('unsigned', 2, 'ffffffff'),
  acc32: type('unsigned', 2, '00000000', 'ffffffff'),
  enum32: type('unsigned', 2, 'ffffffff'),
  bitfield32: type('unsigned', 2, 'ffffffff'),
  int64: type('signed', 4, '8000000000000000'),
  uint64: type('unsigned', 4, 'ffffffffffffffff'),
  acc64: type('unsigned', 4, '0000000000000000', 'ffffffffffffffff'),
  float32: type('float', 2, '7fc00000'),
  float64: type('float', 4, '7ff8000000000000'),
} as const satisfies Record<string, RegisterType>;
export type RegisterTypeName = keyof typeof REGISTER_TYPES;

/** The type of this name in any case; null when there is none. */
export function registerType(name: string): RegisterType | null {
  const key = name.toLowerCase();
  return Object.hasOwn(REGISTER_TYPES, key) ? REGISTER_TYPES[key as RegisterTypeName] : null;
}

/** Whether registers, the most significant first, say that there is nothing. */
export function saysNothing(name: RegisterTypeName, words: readonly number[]): boolean {
  const { nothing }: RegisterType = REGISTER_TYPES[name];
  return nothing.includes(hexOf(words));
}

/** Registers as hexadecimal digits, as `nothing` has them. */
export const hexOf = (words: readonly number[]): string =>
  words.map((word) => word.toString(16).padStart(4, '0')).join('');

/** What a configuration calls "not measured". */
export interface NotMeasured {
  /** `none` was written: every number counts, also those that the type sets apart. */
  isNone: boolean;
  /** Numbers as hexadecimal digits without leading zeros, for raw registers. */
  patterns: ReadonlySet<string>;
  /** Numbers and words as a machine says them, before any scale. */
  texts: ReadonlySet<string>;
}

export const NOTHING_SAID: NotMeasured = { isNone: false, patterns: new Set(), texts: new Set() };

/** `0xFFFF;-1;9999`, `n/a`, or `none`. Throws `InputError`. */
export function parseNotMeasured(text: string): NotMeasured {
  const words = text
    .split(';')
    .map((one) => one.trim().toLowerCase())
    .filter(Boolean);
  if (words.includes('none') && words.length > 1)
    throw new InputError('not measured: "none" stands alone, it means that every number counts');
  const isHex = (word: string) => word.startsWith('0x');
  const wrong = words.find((word) => isHex(word) && !/^0x[0-9a-f]{1,16}$/.test(word));
  if (wrong !== undefined)
    throw new InputError(`not measured: "${wrong}" is no number such as 0xFFFF, 65535 or -1`);
  const hex = words.filter(isHex).map((word) => BigInt(word));
  return {
    isNone: words[0] === 'none',
    patterns: new Set(hex.map((number) => number.toString(16))),
    texts: new Set([...hex.map(String), ...words.filter((word) => !isHex(word)).map(plainNumber)]),
  };
}

/** Whether a machine's raw value is one that its configuration calls "not measured". */
export function isNotMeasured({ texts }: NotMeasured, raw: unknown): boolean {
  if (texts.size === 0) return false;
  return texts.has(plainNumber(String(raw).trim().toLowerCase()));
}

/** As `isNotMeasured`, for the registers behind a value, the most significant first. */
export function areNotMeasured({ patterns }: NotMeasured, words: readonly number[]): boolean {
  return patterns.size > 0 && patterns.has(hexOf(words).replace(/^0+(?=.)/, ''));
}

/** A number as it is written everywhere: `-1.0` and `-1` are one. Whole numbers keep all their digits. */
function plainNumber(text: string): string {
  if (/^[+-]?\d+$/.test(text)) return String(BigInt(text.replace('+', '')));
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(text) ? String(Number(text)) : text;
}
