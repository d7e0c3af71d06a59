import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import { readConfigLines } from '@albedo/plugin-kit/fields/config-lines';
import { REGISTER_TYPES, type RegisterTypeName } from '@albedo/plugin-kit/fields/not-measured';
import { parseScale, type Scale, scaled } from '@albedo/plugin-kit/fields/scale';

/** How a value is written: registers it takes, and what stands for a value that there is none of. */
interface Format {
  registers: number;
  write(bytes: Buffer, value: number): void;
  missing: string;
}

const whole = (lowest: number, highest: number, write: (bytes: Buffer, value: number) => void) => {
  return (bytes: Buffer, value: number) => {
    const rounded = Math.round(value);
    if (rounded < lowest || rounded > highest) throw new RangeError(`${rounded}`);
    write(bytes, rounded);
  };
};

const format = (name: RegisterTypeName, write: Format['write']): [string, Format] => {
  const { registers, nothing } = REGISTER_TYPES[name];
  return [name, { registers, missing: nothing[0], write }];
};

const FORMATS = new Map<string, Format>([
  format(
    'int16',
    whole(-32_767, 32_767, (b, v) => b.writeInt16BE(v)),
  ),
  format(
    'uint16',
    whole(0, 65_534, (b, v) => b.writeUInt16BE(v)),
  ),
  format(
    'int32',
    whole(-(2 ** 31) + 1, 2 ** 31 - 1, (b, v) => b.writeInt32BE(v)),
  ),
  format(
    'uint32',
    whole(0, 2 ** 32 - 2, (b, v) => b.writeUInt32BE(v)),
  ),
  format('float32', (b, v) => void b.writeFloatBE(v)),
  format('float64', (b, v) => void b.writeDoubleBE(v)),
]);

export interface ServedValue {
  table: string;
  source: string;
  variable: string;
  /** As Modbus counts them on the wire, from 0. */
  register: number;
  format: Format;
  scale: Scale;
}

/**
 * Reads a configuration: table, source, variable, register, format, scale. Throws one `InputError` that names every fault
 * with its line: also two values in one register.
 */
export function parseRegisterMap(text: string, file: string): ServedValue[] {
  const values: ServedValue[] = [];
  const taken = new Map<number, number>();
  const faults: string[] = [];
  for (const { cells, line } of readConfigLines(text, file)) {
    try {
      const value = parseValue(cells);
      for (let at = value.register; at < value.register + value.format.registers; at++) {
        const other = taken.get(at);
        if (other !== undefined) throw new InputError(`register ${at} is already that of line ${other}`);
        taken.set(at, line);
      }
      values.push(value);
    } catch (error) {
      faults.push(`${file}, line ${line}: ${messageOf(error)}`);
    }
  }
  if (faults.length === 0 && values.length === 0) faults.push(`${file}: no value is listed`);
  if (faults.length > 0) throw new InputError(faults.join('\n'));
  return values;
}

function parseValue(cells: string[]): ServedValue {
  const [table = '', source = '', variable = '', register = '', name = '', scale = ''] = cells;
  if (cells.length > 6) throw new InputError(`${cells.length} columns instead of 6`);
  if (!/^[^./\\]+$/.test(table))
    throw new InputError(`table: "${table}" must be a name without full stops and slashes`);
  if (source === '' || variable === '') throw new InputError('source and variable have to be there');
  const format = FORMATS.get(name.toLowerCase());
  if (!format) throw new InputError(`format: "${name}" is none of ${[...FORMATS.keys()].join(', ')}`);
  const first = Number(register);
  if (!/^\d{1,5}$/.test(register) || first + format.registers > 65_536)
    throw new InputError(`register: "${register}" is none from 0 to 65535`);
  return { table, source, variable, register: first, format, scale: parseScale(scale) };
}

/** A value as its registers; what is missing, or does not fit, as the number that stands for nothing. */
export function bytesOf({ format, scale }: ServedValue, value: number | null): Buffer {
  const bytes = Buffer.from(format.missing, 'hex');
  if (value === null) return bytes;
  try {
    format.write(bytes, scaled(value, scale));
    return bytes;
  } catch {
    return Buffer.from(format.missing, 'hex');
  }
}
