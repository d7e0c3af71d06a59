import type { Options } from './arguments.ts';
import { InputError } from './input-error.ts';
import { readText } from './text-file.ts';

/**
 * Fills in the secrets of a command line: `--password @FILE` stands for the first line of that file, and what is not
 * given comes from the environment, `ALBEDO_PLUGIN_PASSWORD`. Throws `InputError` for a secret that stands there itself.
 */
export function withSecrets(
  given: Record<string, string | boolean>,
  options: Options,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | boolean> {
  const filled = { ...given };
  for (const [name, { kind }] of Object.entries(options)) {
    if (kind !== 'secret') continue;
    const variable = `ALBEDO_PLUGIN_${name.toUpperCase()}`;
    const said = given[name];
    if (said === undefined) {
      const value = env[variable];
      if (value) filled[name] = value;
    } else if (typeof said === 'string' && said.startsWith('@')) {
      filled[name] = readText(said.slice(1), name).split(/\r?\n/)[0] ?? '';
    } else {
      throw new InputError(
        `${name}: others can read a command line; put it into a file and say @FILE, or set ${variable}`,
      );
    }
  }
  return filled;
}
