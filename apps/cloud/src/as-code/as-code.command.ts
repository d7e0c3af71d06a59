import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { WorkgroupScope } from '@albedo/contract/access/permissions';
import { CODE_LIMITS, type CodePlan, codeBody } from '@albedo/contract/as-code/as-code.schema';
import { PRODUCT } from '@albedo/contract/product';
import { ALL_DEVICES } from '../access/device-scope.ts';
import { CommandError, type Commands, type Say } from '../command-line/command.ts';
import { AppError } from '../errors/app-error.ts';
import type { Editor } from '../history/history.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import type { AsCode } from './as-code.service.ts';

interface Parts {
  asCode: AsCode;
  workgroups: Pick<Workgroups, 'demand'>;
  registry: Pick<DeviceRegistry, 'known'>;
  /** Runs what changes something; it is in the audit log when that ends. */
  settled: <T>(task: () => Promise<T>) => Promise<T>;
}

/** Stands for whoever may use the data folder, in versions and in the audit log. */
const OPERATOR = `${PRODUCT} code`;
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** `code export`, `code plan <file>` and `code apply <file>`, each with `--workgroup`. */
export function codeCommands(of: Parts): Commands {
  const { asCode, settled } = of;
  return {
    'code export': async (args, say) => {
      const { editor, kinds } = await read(of, args);
      for (const line of (await asCode.export(editor, kinds)).trimEnd().split('\n')) say(line);
      return 0;
    },
    'code plan': async (args, say) => {
      const { editor, yaml, prune } = await read(of, args);
      tell(await asCode.plan(editor, await yaml(), { prune }), say);
      return 0;
    },
    'code apply': async (args, say) => {
      const { editor, yaml, prune } = await read(of, args);
      const text = await yaml();
      tell(await settled(() => asCode.apply(editor, text, { prune })), say);
      return 0;
    },
  };
}

async function read(of: Parts, args: readonly string[]) {
  const { values, positionals } = parsed(args);
  const { workgroup, kinds, prune = false } = values;
  if (!workgroup) throw new CommandError('Name the workgroup: --workgroup <name>');
  await of.workgroups.demand(workgroup).catch(() => {
    throw new CommandError(`There is no workgroup ${workgroup}.`);
  });
  const [file] = positionals;
  return {
    editor: editorOf(of, workgroup),
    kinds: kinds?.split(','),
    prune,
    yaml: async () => {
      if (!file) throw new CommandError('Name the file.');
      const text = await readFile(file, 'utf8').catch(() => {
        throw new CommandError(`The file ${file} cannot be read by the server.`);
      });
      if (codeBody.safeParse({ yaml: text }).success) return text;
      throw new CommandError(`A file has 1 to ${CODE_LIMITS.characters} characters.`);
    },
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { workgroup: { type: 'string' }, kinds: { type: 'string' }, prune: { type: 'boolean' } },
    });
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

/** Whoever may use the data folder may do whatever an owner may. */
function editorOf({ registry }: Parts, workgroup: string): Editor {
  const scope: WorkgroupScope = {
    ...{ role: 'owner', permissions: [], ps: '', devGroup: null },
    scopes: { device: [] },
  };
  const nowS = Math.floor(Date.now() / 1000);
  return {
    workgroup,
    devices: ALL_DEVICES,
    session: {
      ...{ _id: NOBODY, name: OPERATOR, email: OPERATOR, exp: nowS + 3600, iat: nowS, jti: '' },
      ...{ defaultWorkgroup: workgroup, memberOf: [workgroup], scopes: { [workgroup]: scope }, staff: false },
    },
    by: { userId: NOBODY, email: OPERATOR, address: '', scope },
    demandDevice: async (device) => {
      if (registry.known(device)?.workgroup !== workgroup) throw new AppError('device.not_found');
    },
  };
}

const WORDS = { create: '+', update: '~', delete: '-' } as const;

function tell({ things, unchanged }: CodePlan, say: Say): void {
  for (const { kind, key, action, changes, count } of things) {
    say(`${WORDS[action]} ${kind} ${key}`);
    for (const { path, old, now } of changes) say(`    ${path.join('.')}: ${text(old)} -> ${text(now)}`);
    if (count > changes.length) say(`    and ${count - changes.length} more`);
  }
  say(things.length === 0 ? 'Nothing changes.' : `${things.length} change, ${unchanged} stay as they are.`);
}

const text = (value: unknown): string =>
  value === undefined ? 'nothing' : (JSON.stringify(value)?.slice(0, 100) ?? '');
