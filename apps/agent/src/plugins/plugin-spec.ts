import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PluginSpec, pluginSpec } from '@albedo/contract/plugins/plugins.schema';
import type { Root } from '../root.ts';
import { packageOf, placesOf } from './plugin-place.ts';

/** What the package behind a command says of itself; null for a plugin that came with the agent. */
export function specOf(command: string): PluginSpec | null {
  const own = packageOf(command);
  if (!own) return null;
  return pluginSpec.parse(JSON.parse(readFileSync(join(own.folder, 'plugin.json'), 'utf8')));
}

/** What passwords are called where no spec says which arguments are some. */
const LIKELY = /passw|passphrase|secret|token|community/i;

/** The option behind the name of an argument that is a password, or behind its column of a service file; else null. */
export type SecretOption = (name: string) => string | null;

export function secretsOf(root: Root, binary: string | undefined): SecretOption {
  const spec = binary === undefined ? null : readSpec(join(placesOf(root).commands, binary));
  if (!spec) return (name) => (LIKELY.test(name) ? name : null);
  const { shared, log, discover } = spec.cmdSpec.actionSpecs;
  const secrets = [shared, log, discover]
    .flatMap(({ mandatory, optional }) => [...mandatory, ...optional])
    .filter(({ type }) => type === 'password')
    .flatMap(({ option, serviceName = option }) => [
      [option, option] as const,
      [serviceName, option] as const,
    ]);
  const options = new Map(secrets);
  return (name) => options.get(name) ?? null;
}

function readSpec(command: string): PluginSpec | null {
  try {
    return specOf(command);
  } catch {
    // A damaged package says nothing; names that passwords have are hidden then.
    return null;
  }
}
