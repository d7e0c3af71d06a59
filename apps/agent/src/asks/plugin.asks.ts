import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type InstallStep, type PluginState, serialLine } from '@albedo/contract/plugins/plugins.schema';
import { NoPlaceError } from '../changes/at-once.ts';
import type { WayBack } from '../changes/way-back.ts';
import { AskError } from '../link/ask-error.ts';
import { messageOf } from '../log.ts';
import { removePackage } from '../plugins/plugin-install.ts';
import { installedPlugins, placesOf } from '../plugins/plugin-place.ts';
import { runTool, TOOL_MISSING } from '../plugins/run-tool.ts';
import { placeTool, toolFile } from '../plugins/tools.ts';
import type { Root } from '../root.ts';
import { demandOwnFolder } from '../schedules/control-place.ts';
import { ServiceError, type Services } from '../services/services.ts';
import { putActivity } from '../tasks/activities.ts';
import type { Tasks } from '../tasks/tasks.ts';
import { Bytes } from '../upgrade/bytes.ts';
import { VERSION } from '../version.ts';
import type { Asked, AskHandlers } from './asks.ts';

type PluginAsks = Pick<
  AskHandlers,
  | 'plugins.read'
  | 'plugins.install'
  | 'plugins.remove'
  | 'services.run'
  | 'services.put'
  | 'services.remove'
  | 'services.logs'
  | 'activities.put'
  | 'tasks.switch'
  | 'tasks.remove'
  | 'tasks.logs'
  | 'serial.list'
  | 'tools.place'
>;

/** No file of the device's own is changed. */
const NOTHING = { files: [], remove: [] };

/** The exit code of ardpkg for what the publisher did not sign. */
const UNTRUSTED = 3;

/** Plugins and their services. What the cloud sends is installed by ardpkg, which trusts nobody but the publisher. */
export function pluginAsks(
  root: Root,
  services: Services,
  tasks: Tasks,
  wayBack: Pick<WayBack, 'begin'>,
  program = process.argv[1],
): PluginAsks {
  const state = async (): Promise<PluginState> => ({
    root: root.prefix === '/' ? '' : root.prefix,
    plugins: installedPlugins(root),
    ...(await activities()),
  });
  const activities = async () => {
    try {
      return { services: await services.list(), tasks: tasks.list() };
    } catch (error) {
      throw new AskError('unable', messageOf(error), 'list');
    }
  };
  let turn: Promise<unknown> = Promise.resolve();
  /** One change after the other, and each answers what there is then. */
  const inTurn = (change: () => Promise<void>): Promise<PluginState> => {
    const mine = turn.then(change).then(state, refused);
    turn = mine.catch(() => {});
    return mine;
  };
  return {
    'plugins.read': state,
    'plugins.install': (asked) => inTurn(() => install(asked)),
    'plugins.remove': ({ input: { name } }) =>
      inTurn(async () => {
        tasks.removeAll(name);
        await services.removeAll(name);
        if (!(await removePackage(root, name))) throw new AskError('invalid', `${name} is not installed.`);
      }),
    'services.run': ({ input: { plugin, isOn } }) =>
      inTurn(async () => {
        const of = { kind: 'plugin', name: plugin, before: NOTHING } as const;
        const undo = wayBack.begin({ ...of, ...(isOn ? { putAside: plugin } : { resume: plugin }) });
        try {
          if (isOn) await services.resume(plugin);
          else await services.pause(plugin);
        } catch (error) {
          undo();
          throw error;
        }
      }),
    'services.put': ({ input: { plugin, name, file, isDisabled, files } }) =>
      inTurn(() => {
        demandOwnFolder(root, file);
        return services.put({ plugin, name, text: file, isDisabled, files });
      }),
    'services.remove': ({ input: { plugin, name } }) => inTurn(() => services.remove(plugin, name)),
    'activities.put': ({ input }) =>
      inTurn(() => {
        if (input.activity.type === 'service') demandOwnFolder(root, input.activity.file);
        return putActivity(services, tasks, input);
      }),
    'tasks.switch': ({ input: { isDisabled, ...on } }) => inTurn(async () => tasks.switch(on, isDisabled)),
    'tasks.remove': ({ input }) => inTurn(async () => tasks.remove(input)),
    'tasks.logs': async ({ input }) => ({ logs: await tasks.logs(input).catch(refused) }),
    'services.logs': async ({ input: { plugin, name } }) => ({
      logs: await services.logs(plugin, name).catch(refused),
    }),
    'serial.list': async ({ signal }) => {
      const command = join(placesOf(root).commands, 'albedoctl');
      const { code, said, printed } = await runTool(command, ['serial', '--json'], signal);
      if (code === TOOL_MISSING) throw new AskError('unable', 'albedoctl is not there', 'tool');
      if (code !== 0) throw new AskError('unable', said || `albedoctl ended with ${code}`);
      return { lines: serialLine.array().parse(JSON.parse(printed)) };
    },
    'tools.place': async ({ input: { tool } }) => {
      if (!program || !toolFile(program, tool))
        throw new AskError('unable', `This agent came without ${tool}.`);
      placeTool(root, program, tool);
      return { version: VERSION };
    },
  };

  async function install({ input, incoming, signal, tell }: Asked<'plugins.install'>): Promise<void> {
    const ardpkg = toolFile(program, 'ardpkg');
    if (!ardpkg) throw new AskError('unable', 'This agent came without ardpkg. Upgrade the agent.');
    const { name, version, files } = input;
    const from = join(placesOf(root).incoming, randomUUID());
    const say = (step: InstallStep, now?: PluginState) => tell(now ? { step, state: now } : { step });
    try {
      rmSync(placesOf(root).incoming, { recursive: true, force: true });
      try {
        mkdirSync(from, { recursive: true, mode: 0o700 });
      } catch (error) {
        throw new AskError('unable', messageOf(error), 'temporary');
      }
      await say('receiving');
      const bytes = new Bytes(incoming);
      for (const { path, size } of files) {
        mkdirSync(dirname(join(from, path)), { recursive: true, mode: 0o700 });
        await pipeline(Readable.from(bytes.take(size)), createWriteStream(join(from, path), { mode: 0o600 }));
        signal.throwIfAborted();
      }
      await say('stopping');
      const ran = await services.pause(name).catch(async (error: Error) => {
        await services.resume(name).catch(() => {});
        return refused(error);
      });
      try {
        await say('installing');
        const args = [ardpkg, 'install', name, version, '--from', from, '--root', root.prefix];
        const { code, said } = await runTool(process.execPath, args, signal);
        const why = said.replace(/^ardpkg: /, '') || 'Unknown error';
        if (code !== 0) throw new AskError(code === UNTRUSTED ? 'refused' : 'unable', why, 'ardpkg');
      } catch (error) {
        // The version before runs on; what it was doing goes on too.
        await services.resume(name).catch(() => {});
        throw error;
      }
      await say('listing', await state());
      await say('starting');
      const of = { kind: 'plugin', name: `${name} ${version}`, before: NOTHING } as const;
      if (ran.size > 0) wayBack.begin({ ...of, putAside: name });
      await services.resume(name, ran);
    } finally {
      rmSync(from, { recursive: true, force: true });
    }
  }
}

/** What a person can do something about is said to them. */
function refused(error: Error): never {
  if (error instanceof ServiceError) throw new AskError('invalid', error.message, error.step);
  throw error instanceof NoPlaceError ? new AskError('unable', error.message, 'temporary') : error;
}
