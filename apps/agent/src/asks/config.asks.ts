import { createHash } from 'node:crypto';
import { copyFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import {
  CONFIG_LENGTH,
  type ConfigCheck,
  type ConfigProblem,
  type DeviceConfig,
} from '@albedo/contract/device-config/device-config.schema';
import { PRODUCT } from '@albedo/contract/product';
import { asItIs } from '../changes/at-once.ts';
import type { Risk, WayBack } from '../changes/way-back.ts';
import { type AgentConfig, ConfigError, linkOf, parseConfig, readConfigText } from '../config/config.read.ts';
import { isConfined } from '../confinement.ts';
import { AskError } from '../link/ask-error.ts';
import { messageOf } from '../log.ts';
import type { Root } from '../root.ts';
import type { AskHandlers } from './asks.ts';

export const configAsks = (
  root: Root,
  wayBack: Pick<WayBack, 'begin'>,
  file = root.configFile,
): Pick<AskHandlers, 'config.read' | 'config.test' | 'config.apply'> => ({
  'config.read': async () => readBack(file),
  'config.test': async ({ input }) => check(input.text, file).report,
  'config.apply': async ({ input: { text, over } }) => {
    const before = readBack(file);
    if (over !== null && over !== before.hash) {
      throw new AskError(
        'changed',
        'The configuration on the device has changed since it was read. Load it again.',
      );
    }
    const { report, config } = check(text, file);
    if (!config) return { ...report, isApplied: false, config: before };
    demandSameRemote(before.text, config, file);
    copyFileSync(file, `${file}.before`);
    const link = JSON.stringify(config.mqtt);
    // Only another connection can be one that leads nowhere; all else is read by an agent that is connected.
    const undo = link === linkOf(before.text) ? null : wayBack.begin({ ...riskOf(root, text), link });
    try {
      replace(file, text);
    } catch (error) {
      undo?.();
      throw error;
    }
    return { ...report, isApplied: true, config: readBack(file) };
  },
});

function riskOf(root: Root, text: string): Risk {
  const path = `/etc/${PRODUCT}/${PRODUCT}.yaml`;
  return {
    kind: 'config',
    name: path,
    hash: createHash('sha256').update(text).digest('hex'),
    before: asItIs(root, [path]),
  };
}

/** The section is the plant's own word about who gets in; nobody opens it from outside. */
function demandSameRemote(before: string, next: AgentConfig, file: string): void {
  let now: AgentConfig;
  try {
    now = parseConfig(before, file).config;
  } catch {
    // What cannot be read refuses nothing that could be kept.
    return;
  }
  if (isConfined() && JSON.stringify(now.mqtt) !== JSON.stringify(next.mqtt))
    throw new AskError('refused', 'The server itself says where its cloud devices connect to.');
  if (JSON.stringify(now.remote) !== JSON.stringify(next.remote)) {
    throw new AskError('refused', 'The section "remote" can be changed on the device itself only.');
  }
}

function readBack(file: string): DeviceConfig {
  const text = readConfigText(file);
  if (text.length > CONFIG_LENGTH) {
    throw new AskError('unable', `The configuration has more than ${CONFIG_LENGTH} characters.`);
  }
  const hash = createHash('sha256').update(text).digest('hex');
  return { path: file, text, hash, problems: check(text, file).report.problems };
}

function check(text: string, file: string): { report: ConfigCheck; config: AgentConfig | null } {
  try {
    const { config, faults } = parseConfig(text, file);
    const problems = faults.slice(0, 500).map(({ message }) => problemOf(message, file, false));
    return { report: { isUsable: true, problems }, config };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { report: { isUsable: false, problems: [problemOf(messageOf(error), file, true)] }, config: null };
  }
}

/** Messages of the reader begin with `<file>, line <number>: `. */
function problemOf(text: string, file: string, isFatal: boolean): ConfigProblem {
  const own = text.startsWith(file) ? text.slice(file.length) : text;
  const [, line, message] = /^,? ?(?:line (\d+))?:? ?(.*)$/s.exec(own) ?? [];
  return { line: line ? Number(line) : null, isFatal, message: (message || text).slice(0, 1000) };
}

/** The old file or the new one, never something between; with the rights that it had. */
function replace(file: string, text: string): void {
  const { mode } = statSync(file);
  // Node has no fsync for what may not leave its folder.
  writeFileSync(`${file}.new`, text, { mode: mode & 0o777, flush: !isConfined() });
  renameSync(`${file}.new`, file);
}
