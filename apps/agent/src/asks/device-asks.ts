import type { AskKind } from '@albedo/contract/link/link.asks';
import type { WayBack } from '../changes/way-back.ts';
import type { RemoteConfig } from '../config/config.schema.ts';
import { isConfined } from '../confinement.ts';
import { AskError } from '../link/ask-error.ts';
import type { PhotoShelf } from '../photos/photo-shelf.ts';
import type { Root } from '../root.ts';
import { inspectService, orderedPlaces } from '../schedules/control-place.ts';
import type { ScheduleKeeper } from '../schedules/schedule-keeper.ts';
import type { Services } from '../services/services.ts';
import type { TaskLog } from '../tasks/task-log.ts';
import { Tasks } from '../tasks/tasks.ts';
import type { AskHandlers } from './asks.ts';
import { backupAsks } from './backup.asks.ts';
import { configAsks } from './config.asks.ts';
import { fileAsks } from './file.asks.ts';
import { type Identified, identityAsks } from './identity.asks.ts';
import { machineAsks } from './machine.asks.ts';
import { networkAsks } from './network.asks.ts';
import { photoAsks } from './photo.asks.ts';
import { pluginAsks } from './plugin.asks.ts';
import { scanAsks } from './scan.asks.ts';
import { scheduleAsks } from './schedule.asks.ts';
import { shellAsks } from './shell.asks.ts';
import { tunnelAsks } from './tunnel.asks.ts';
import { type Upgradable, upgradeAsks } from './upgrade.asks.ts';

/** Everything that the cloud may ask of this device. */
export const deviceAskHandlers = (
  root: Root,
  upgradable: Upgradable,
  remote: () => RemoteConfig,
  services: Services,
  taskLog: TaskLog,
  photos: PhotoShelf,
  identified: Identified,
  wayBack: Pick<WayBack, 'begin'>,
  schedules: ScheduleKeeper,
): AskHandlers => ({
  ...backupAsks(root, wayBack),
  ...configAsks(root, wayBack),
  ...fileAsks({
    secret: [root.at('/etc/albedo/keys'), root.stateDirectory],
    kept: [root.configFile],
    ordered: () => orderedPlaces(root),
    inspect: (path, text) => inspectService(root, path, text),
  }),
  ...identityAsks(identified),
  ...machineAsks(root),
  ...networkAsks,
  ...photoAsks(photos),
  ...scanAsks,
  ...scheduleAsks(root, schedules, upgradable.trust),
  ...shellAsks,
  ...tunnelAsks(() => remote().tunnels),
  ...upgradeAsks(upgradable),
  ...pluginAsks(root, services, new Tasks(root, taskLog), wayBack),
});

/** What the section `remote` of the configuration has a word about. */
const SECTIONS: Partial<Record<AskKind, keyof RemoteConfig>> = {
  shell: 'shell',
  'files.list': 'files',
  'files.read': 'files',
  'files.part': 'files',
  'files.write': 'files',
  'backup.read': 'files',
  'backup.restore': 'files',
  tunnel: 'tunnels',
  'upgrade.install': 'upgrades',
  'plugins.install': 'plugins',
  'plugins.remove': 'plugins',
  'services.run': 'plugins',
  'services.put': 'plugins',
  'services.remove': 'plugins',
  'activities.put': 'plugins',
  'tasks.switch': 'plugins',
  'tasks.remove': 'plugins',
};

/** What no cloud device does, whatever its configuration says. */
const NOT_IN_THE_CLOUD: ReadonlySet<AskKind> = new Set([
  'shell',
  'tunnel',
  'identity.key',
  'identity.install',
  'network.read',
  'network.services',
  'scan.arp',
  'upgrade.check',
  'upgrade.install',
]);

/** Throws what the person reads whom this device does not let do it. */
export function demandAllowed(remote: RemoteConfig, kind: AskKind): void {
  if (isConfined() && NOT_IN_THE_CLOUD.has(kind))
    throw new AskError('refused', 'A cloud device cannot do this: it runs beside others on the server.');
  const section = SECTIONS[kind];
  if (section && !remote[section]) throw new AskError('refused', refusalOf(section));
}

export const refusalOf = (section: keyof RemoteConfig): string =>
  `The configuration of this device refuses it (remote: ${section}). It can be changed on the device itself only.`;
