import { pluginsApi } from '@albedo/contract/plugins/plugins.api';
import type { RunInterval } from '@albedo/contract/plugins/plugins.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { actorOf } from '../access/actor.ts';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import type { DeviceBackups } from '../device-backups/device-backups.service.ts';
import { deviceRestored } from '../device-backups/device-backups.topics.ts';
import type { Health } from '../health/health.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { LongActions } from '../long-actions/long-actions.service.ts';
import { PACK_SOURCES, type PackSources, Packs, repositoryOf } from '../packs/packs.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { PluginsCatalog } from './plugins.catalog.ts';
import { RestoredPlugins } from './plugins.restored.ts';
import { Plugins } from './plugins.service.ts';
import { PluginsStore } from './plugins.store.ts';
import { pluginsPart } from './plugins.tables.ts';

/** Plugins of devices, and where they come from. */
export function openPlugins(of: {
  postgres: Postgres;
  deviceAsks: DeviceAsks;
  health: Health;
  deviceBackups: DeviceBackups;
  longActions: LongActions;
  registry: DeviceRegistry;
  audit: Audit;
  bus: Bus;
  sockets: Sockets;
  packSources: PackSources | undefined;
}): Feature<Plugins> {
  const { postgres, sockets, packSources = PACK_SOURCES } = of;
  const catalog = new PluginsCatalog(repositoryOf(packSources));
  const packs = new Packs(packSources);
  const plugins = new Plugins({ ...of, store: new PluginsStore(postgres), catalog });
  const restored = new RestoredPlugins({ ...of, plugins });
  of.longActions.add(restored.kind);
  const on = (
    call: Parameters<typeof actorOf>[0] & {
      workgroup: string;
      params: { device: string };
      signal: AbortSignal;
    },
  ) => ({ workgroup: call.workgroup, device: call.params.device, by: actorOf(call), signal: call.signal });
  return {
    name: 'plugins',
    service: plugins,
    workgroupPart: { tables: pluginsPart },
    hears: [hear(deviceRestored, (what) => restored.begin(what))],
    routes: (app) =>
      bind(app, pluginsApi, {
        list: () => plugins.list(),
        ardpkg: async () => ({ name: 'ardpkg' as const, version: await packs.version() }),
        get: ({ workgroup, params, query }) => plugins.get(workgroup, params.name, query.version),
        installed: ({ workgroup, scope }) => plugins.installed(workgroup, scope),
        update: async ({ params: { device }, signal }) => plugins.read({ device, signal }),
        serialLines: (call) => plugins.serialLines(on(call)),
        install: (call) => plugins.install(on(call), call.params.plugin, call.body.version),
        remove: (call) => plugins.remove(on(call), call.params.plugin),
        startServices: (call) => plugins.startServices(on(call), call.params.plugin),
        stopServices: (call) => plugins.stopServices(on(call), call.params.plugin),
        putService: (call) => {
          const { plugin, name } = call.params;
          const { serviceFile: file, isDisabled, files, replaces } = call.body;
          return plugins.putService(on(call), { plugin, name, file, isDisabled, files, replaces });
        },
        removeService: (call) => plugins.removeService(on(call), call.params.plugin, call.params.name),
        putTask: (call) => {
          const { plugin, name } = call.params;
          const { replaces, ...task } = call.body;
          return plugins.putTask(on(call), plugin, { name, ...task }, replaces);
        },
        switchTask: (call) =>
          plugins.switchTask(on(call), taskOf(call.params, call.body), call.body.isDisabled),
        removeTask: (call) => plugins.removeTask(on(call), taskOf(call.params, call.query)),
        taskLogs: (call) => plugins.taskLogs(on(call), taskOf(call.params, call.query)),
        logs: (call) => plugins.logs(on(call), call.params.plugin, call.params.name),
      }),
    sockets: () => {
      for (const [action, tool] of [
        ['device:sendArdpkg', 'ardpkg'],
        ['device:sendalbedoctl', 'albedoctl'],
        ['device:sendAlbedoctl', 'albedoctl'],
      ] as const)
        sockets.on(action, ({ request, workgroup, session, address, signal }) => {
          const by = { userId: session._id, email: session.email, address };
          return plugins.sendTool({ workgroup, device: request.deviceId, by, signal }, tool);
        });
    },
  };
}

const taskOf = (
  { plugin, name }: { plugin: string; name: string },
  { frequency }: { frequency: RunInterval },
) => ({ plugin, name, frequency });
