import { parseArgs } from 'node:util';
import { InputError } from './input-error.ts';

export type Option =
  | { kind: 'flag'; help: string; short?: string }
  | { kind: 'integer' | 'decimal'; default: number; min?: number; max?: number; help: string; short?: string }
  | { kind: 'choice'; options: readonly string[]; default: string; help: string; short?: string }
  /** `file` is a path whose content the plugin reads once, at the start. */
  | { kind: 'text' | 'file'; default: string; help: string; short?: string }
  /** Never stands on a command line, which every process of the machine can read. */
  | { kind: 'secret'; default: string; help: string; short?: string };

export type Options = Record<string, Option>;

/** Arguments of one run, from a command line or from a row of a service file; all checked for their kind. */
export class Arguments {
  readonly #values: Map<string, string | number | boolean>;

  constructor(values: Map<string, string | number | boolean>) {
    this.#values = values;
  }

  /** Empty when the argument was not given and has no default. */
  text(name: string): string {
    return String(this.#values.get(name) ?? '');
  }

  number(name: string): number {
    return Number(this.#values.get(name));
  }

  flag(name: string): boolean {
    return this.#values.get(name) === true;
  }
}

/** Throws `InputError` naming an unknown, missing or malformed argument. */
export function checkArguments(
  given: Record<string, string | boolean>,
  positionals: string[],
  options: Options,
): Arguments {
  const values = new Map<string, string | number | boolean>();
  for (const name of Object.keys(given)) {
    if (!positionals.includes(name) && !(name in options))
      throw new InputError(`there is no argument "${name}"`);
  }
  for (const name of positionals) {
    const value = given[name];
    if (typeof value !== 'string' || value.trim() === '') throw new InputError(`${name} is missing`);
    values.set(name, value.trim());
  }
  for (const [name, option] of Object.entries(options))
    values.set(name, checkedValue(name, option, given[name]));
  return new Arguments(values);
}

function checkedValue(
  name: string,
  option: Option,
  given: string | boolean | undefined,
): string | number | boolean {
  if (option.kind === 'flag') return isTrue(name, given);
  if (given === undefined || given === '') return option.default;
  if (option.kind === 'choice') {
    if (option.options.includes(String(given))) return String(given);
    throw new InputError(`${name}: "${given}" is none of ${option.options.join(', ')}`);
  }
  if (option.kind !== 'integer' && option.kind !== 'decimal') return String(given);
  const number = Number(given);
  const fits = option.kind === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number);
  if (!fits)
    throw new InputError(`${name}: "${given}" is no ${option.kind === 'integer' ? 'whole ' : ''}number`);
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = option;
  if (number < min || number > max) {
    const limits = max === Number.POSITIVE_INFINITY ? `below ${min}` : `outside ${min} to ${max}`;
    throw new InputError(`${name}: ${number} is ${limits}`);
  }
  return number;
}

function isTrue(name: string, given: string | boolean | undefined): boolean {
  if (given === undefined || given === false) return false;
  if (given === true) return true;
  const word = given.trim().toLowerCase();
  if (['', '0', 'false', 'no'].includes(word)) return false;
  if (['1', 'true', 'yes'].includes(word)) return true;
  throw new InputError(`${name}: "${given}" is neither true nor false`);
}

export interface CommandLine {
  verb: string;
  positionals: string[];
  given: Record<string, string | boolean>;
  verbosity: number;
  wantsHelp: boolean;
}

/** Splits a command line. Names of options may have hyphens or underscores. Throws `InputError`. */
export function parseCommandLine(argv: string[], options: Options): CommandLine {
  const config: Record<string, { type: 'string' | 'boolean'; short?: string; multiple?: boolean }> = {
    verbose: { type: 'boolean', short: 'v', multiple: true },
    help: { type: 'boolean', short: 'h' },
  };
  for (const [name, { kind, short }] of Object.entries(options)) {
    config[name] = { type: kind === 'flag' ? 'boolean' : 'string', ...(short && { short }) };
  }
  try {
    const { values, positionals } = parseArgs({
      args: argv.map((word) => word.replace(/^--[^=]+/, (name) => `--${name.slice(2).replaceAll('-', '_')}`)),
      options: config,
      allowPositionals: true,
    });
    const { verbose = [], help = false, ...given } = values as Record<string, unknown>;
    const [verb = '', ...rest] = positionals;
    return {
      verb,
      positionals: rest,
      given: given as Record<string, string | boolean>,
      verbosity: (verbose as boolean[]).length,
      wantsHelp: help === true,
    };
  } catch (error) {
    throw new InputError(error instanceof Error ? error.message : String(error));
  }
}
