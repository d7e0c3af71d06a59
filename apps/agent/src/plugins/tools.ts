import { chmodSync, existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Root } from '../root.ts';
import { placesOf } from './plugin-place.ts';

export const TOOLS = ['ardpkg', 'albedoctl'] as const;
export type Tool = (typeof TOOLS)[number];

/** The file of a tool: beside the agent's program, or in its source. Null where it is in neither. */
export function toolFile(agent: string | undefined, tool: Tool): string | null {
  if (agent === undefined || !existsSync(agent)) return null;
  const folder = dirname(realpathSync(agent));
  const files = [join(folder, `${tool}.mjs`), join(folder, tool, 'main.ts')];
  return files.find((file) => existsSync(file)) ?? null;
}

/** Makes a tool a command of the machine. It follows the agent to the next version, since its link does. */
export function placeTool(root: Root, agent: string, tool: Tool): void {
  const { commands } = placesOf(root);
  mkdirSync(commands, { recursive: true });
  const text = `#!/bin/sh
here=$(dirname "$(readlink -f "${agent}")")
file=$here/${tool}.mjs
[ -f "$file" ] || file=$here/${tool}/main.ts
ALBEDO_ROOT=\${ALBEDO_ROOT:-"${root.prefix}"} exec "${process.execPath}" "$file" "$@"
`;
  const fresh = join(commands, `.${tool}.new`);
  writeFileSync(fresh, text);
  chmodSync(fresh, 0o755);
  renameSync(fresh, join(commands, tool));
}
