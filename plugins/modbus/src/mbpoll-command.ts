import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import type { RegisterKind } from '@albedo/plugin-kit/modbus/modbus-client';

/** One request, and the numbers under which its registers are known to the items. */
export interface ReadCommand {
  kind: RegisterKind;
  /** Null: the bus address of the run. */
  unit: number | null;
  /** Counted from 0, as it goes over the line. */
  address: number;
  /** Registers, or bits. */
  count: number;
  /** Number of the first register for the items: the reference of the command plus `--translate`. */
  firstNumber: number;
  /** The lower half of a long value comes first, as mbpoll reads `:int` and `:float` without -B. */
  isLowWordFirst: boolean;
}

const KINDS: Record<string, RegisterKind> = { 0: 'coil', 1: 'discrete', 3: 'input', 4: 'holding' };
const LONG_TYPES = new Set(['int', 'float']);
/** Options of mbpoll that take a value, and those that do not. Source: mbpoll(1), version 1.5. */
const WITH_VALUE = new Set([
  '-m',
  '-a',
  '-r',
  '-c',
  '-t',
  '-p',
  '-b',
  '-d',
  '-s',
  '-P',
  '-l',
  '-o',
  '-x',
  '--translate',
]);
const ALONE = new Set(['-0', '-1', '-B', '-q', '-v', '-u', '-R', '-F', '-W']);

/**
 * Reads a command in the syntax of mbpoll, which is not called. Where to connect stands on the plugin's own command
 * line, so mode, port, line settings and host are accepted and have no effect.
 *
 * Throws `InputError` for unknown options and for values to write.
 */
export function parseCommand(text: string): ReadCommand {
  const words = text.trim().split(/\s+/);
  if (words.shift() !== 'mbpoll') throw new InputError('a command begins with "mbpoll"');
  const options = new Map<string, string>();
  const operands: string[] = [];
  while (words.length > 0) {
    const word = words.shift() ?? '';
    if (ALONE.has(word)) options.set(word, '');
    else if (WITH_VALUE.has(word)) options.set(word, words.shift() ?? '');
    else if (word.startsWith('-'))
      throw new InputError(`mbpoll has no option "${word}" that is understood here`);
    else operands.push(word);
  }
  if (operands.length > 1) throw new InputError(`"${operands.slice(1).join(' ')}": commands only read`);
  return toCommand(options);
}

function toCommand(options: Map<string, string>): ReadCommand {
  const [type = '4', format = ''] = (options.get('-t') ?? '4').split(':');
  const kind = KINDS[type];
  if (!kind)
    throw new InputError(`-t ${options.get('-t')}: the type is 0, 1, 3 or 4, with a format after a colon`);
  const isLong = LONG_TYPES.has(format);
  const reference = whole(options, '-r', 1);
  const address = options.has('-0') ? reference : reference - 1;
  if (address < 0) throw new InputError('-r 0 needs -0, since references count from 1');
  const count = whole(options, '-c', 1) * (isLong ? 2 : 1);
  if (count < 1 || address + count > 65_536)
    throw new InputError(`-r ${reference} -c ${count} leaves the address space`);
  const unit = options.has('-a') ? whole(options, '-a', 1) : null;
  if (unit !== null && unit > 255) throw new InputError(`-a ${unit} is no bus address`);
  return {
    kind,
    unit,
    address,
    count,
    firstNumber: reference + whole(options, '--translate', 0),
    isLowWordFirst: isLong && !options.has('-B'),
  };
}

function whole(options: Map<string, string>, name: string, byDefault: number): number {
  const text = options.get(name);
  if (text === undefined) return byDefault;
  if (!/^\d+$/.test(text)) throw new InputError(`${name} ${text}: one whole number is needed`);
  return Number(text);
}
