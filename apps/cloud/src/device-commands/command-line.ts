import type { CommandParameter } from '@albedo/contract/device-commands/device-commands.schema';
import { AppError } from '../errors/app-error.ts';

/**
 * The command line with values in place of `{name}`, each quoted so that the shell takes it as one word, whatever stands in
 * it. Braces that are no parameter stay. Throws `device_command.value_missing` and `device_command.value_wrong`.
 */
export function commandLine(
  command: string,
  parameters: readonly CommandParameter[],
  values: Readonly<Record<string, string>>,
): string {
  const quoted = new Map(parameters.map((one) => [one.name, quote(givenValue(one, values))]));
  return command.replace(/\{([A-Za-z][A-Za-z0-9_]*)\}/g, (whole, name: string) => quoted.get(name) ?? whole);
}

function givenValue(
  { name, type, default: preset, options }: CommandParameter,
  values: Readonly<Record<string, string>>,
): string {
  const value = (Object.hasOwn(values, name) ? values[name] : undefined) ?? preset;
  if (value === '') throw new AppError('device_command.value_missing', { name });
  const isWrong =
    value.includes('\0') ||
    (type === 'number' && !/^-?\d+(\.\d+)?$/.test(value)) ||
    (type === 'choice' && !options.includes(value));
  if (isWrong) throw new AppError('device_command.value_wrong', { name, value: value.slice(0, 100) });
  return value;
}

const quote = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;
