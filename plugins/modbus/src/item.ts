import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { type NotMeasured, parseNotMeasured, registerType } from '@albedo/plugin-kit/fields/not-measured';
import { isPlainScale, parseLookup, parseScale, type Scale } from '@albedo/plugin-kit/fields/scale';
import type { Column } from '@albedo/plugin-kit/records/record';

export type ItemType = 'dec' | 'udec' | 'integer' | 'freal' | 'bit' | 'string';

/** One variable of a machine. Numbers of registers are those that the commands give. */
export interface Item {
  line: number;
  table: string;
  /** May hold `{ENDPOINT}`, `{PORT}` and `{BUS_ADDRESS}`; empty stands for all three. */
  source: string;
  column: Column;
  type: ItemType;
  register: number;
  length: number;
  factor: number;
  offset: number;
  /** Listed but not recorded. */
  isIgnored: boolean;
  names: Map<number, string> | null;
  /** Registers whose values, of the same type and length, are added. */
  addends: number[];
  /** The value counts only while this bit is set. */
  condition: { register: number; bit: number } | null;
  /** Bit of the register, for the type `bit`; 0 is the lowest. */
  bit: number;
  /** What the file says of it. */
  notMeasured: NotMeasured;
  /** What the type says there is nothing with, hexadecimal digits of all its registers. */
  nothing: readonly string[];
}

const LENGTHS: Record<ItemType, number[]> = {
  dec: [1, 2, 4],
  udec: [1, 2, 4],
  integer: [1, 2, 4],
  freal: [2, 4],
  bit: [1],
  string: Array.from({ length: 125 }, (_, index) => index + 1),
};
const TYPE_NAMES: Record<string, ItemType> = {
  dec: 'dec',
  udec: 'udec',
  integer: 'integer',
  int: 'integer',
  freal: 'freal',
  real: 'freal',
  float: 'freal',
  bit: 'bit',
  bitb: 'bit',
  string: 'string',
};

const BASES = { signed: 'dec', unsigned: 'udec', float: 'freal' } as const;

/**
 * Reads one line: table, source, variable, register, number of registers, type, units, scale, RO|RW|INV, lookup table,
 * sum or conditional registers, conditional bit, what means "not measured". The last five may be missing.
 *
 * Throws `InputError` naming the column that is wrong.
 */
export function parseItem(cells: string[], line: number): Item {
  const [
    table = '',
    source = '',
    variable = '',
    register = '',
    length = '',
    type = '',
    units = '',
    scale = '',
  ] = cells;
  const [access = '', lookup = '', others = '', bitText = '', unmeasured = ''] = cells.slice(8);
  if (cells.length > 13) throw new InputError(`${cells.length} columns instead of 13`);
  if (!table || table.includes('.'))
    throw new InputError(`table: "${table}" must be a name without a full stop`);
  if (!variable) throw new InputError('variable: the name is missing');
  const { itemType, registers } = typeOf(type, length);
  if (!['', 'RO', 'RW', 'INV'].includes(access.toUpperCase())) {
    throw new InputError(`"${access}" is none of RO, RW, INV`);
  }
  const { factor, offset } = itemScale(scale, itemType);
  const names = lookup === '' ? null : itemLookup(lookup);
  const isConditional = bitText !== '' && others !== '' && itemType !== 'bit';
  const bit = bitText === '' ? 0 : wholeNumber('conditional bit', bitText);
  if (bit > 15) throw new InputError(`conditional bit: ${bit} is no bit of a register`);
  const numbers =
    others === '' ? [] : others.split(/[+;\s]+/).map((one) => wholeNumber('other registers', one));
  if (numbers.length > 0 && itemType === 'bit') throw new InputError('other registers: a bit has none');
  if (isConditional && numbers.length > 1)
    throw new InputError('other registers: a condition has one register');
  const name = units === '' || units === '.' ? {} : { units };
  const notMeasured = parseNotMeasured(unmeasured);
  return {
    line,
    table,
    source,
    column: { name: variable, type: columnTypeOf(itemType, names !== null, factor, offset), ...name },
    type: itemType,
    register: wholeNumber('register', register),
    length: registers,
    factor,
    offset,
    isIgnored: access.toUpperCase() === 'INV',
    names,
    addends: isConditional ? [] : numbers,
    condition: isConditional ? { register: numbers[0] ?? 0, bit } : null,
    bit,
    notMeasured,
    nothing: notMeasured.isNone ? [] : nothingOf(type, itemType, registers, 'units' in name),
  };
}

function typeOf(name: string, length: string): { itemType: ItemType; registers: number } {
  const named = registerType(name);
  const itemType = named ? BASES[named.base] : TYPE_NAMES[name.toLowerCase()];
  if (!itemType)
    throw new InputError(
      `type: "${name}" is none of ${Object.keys(LENGTHS).join(', ')}, nor one of SunSpec such as uint16, int32, acc32`,
    );
  const registers = wholeNumber('number of registers', length || String(named?.registers ?? 1));
  if (named ? registers !== named.registers : !LENGTHS[itemType].includes(registers))
    throw new InputError(`${named ? name : itemType} does not take ${registers} registers`);
  return { itemType, registers };
}

/**
 * A type of SunSpec names what it says there is nothing with. The plain ones do not; what is measured in a unit is taken by
 * the same rule, since makers use the same numbers, and states, bits and texts are left alone.
 */
function nothingOf(name: string, type: ItemType, registers: number, hasUnits: boolean): readonly string[] {
  const named = registerType(name);
  if (named) return named.nothing;
  if (!hasUnits || !['dec', 'udec', 'integer'].includes(type)) return [];
  return registerType(`${type === 'udec' ? 'uint' : 'int'}${registers * 16}`)?.nothing ?? [];
}

/** All registers the item needs. */
export function registersOf(item: Item): number[] {
  const own = [item.register, ...item.addends].flatMap((first) =>
    Array.from({ length: item.length }, (_, index) => first + index),
  );
  return item.condition ? [...own, item.condition.register] : own;
}

function columnTypeOf(type: ItemType, isNamed: boolean, factor: number, offset: number): Column['type'] {
  if (isNamed || type === 'string') return 'keyword';
  if (type === 'bit') return 'bool';
  if (type === 'freal') return 'decimal';
  return Number.isInteger(factor) && Number.isInteger(offset) ? 'integer' : 'decimal';
}

function itemScale(text: string, type: ItemType): Scale {
  const scale = parseScale(text);
  if ((type === 'bit' || type === 'string') && !isPlainScale(scale)) {
    throw new InputError(`scale: a ${type} has none`);
  }
  if (type === 'integer' && !Number.isInteger(scale.factor)) {
    throw new InputError(`scale: an integer can only be multiplied by whole numbers, not ${scale.factor}`);
  }
  return scale;
}

/** Registers hold numbers, so only numbers have names. */
function itemLookup(text: string): Map<number, string> {
  return new Map(
    [...parseLookup(text)].map(([key, name]): [number, string] => {
      if (!/^-?\d+$/.test(key))
        throw new InputError(`lookup table: "${key}:${name}" is not of the form 1:Running`);
      return [Number(key), name];
    }),
  );
}

function wholeNumber(what: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new InputError(`${what}: "${text}" is no whole number`);
  return Number(text);
}
