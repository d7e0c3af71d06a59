import { infoOf } from '@albedo/contract/metadata/metadata.schema';
import { ALL_DEVICES } from '../access/device-scope.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import type { DeviceCommands } from '../device-commands/device-commands.service.ts';
import type { DeviceConfigs } from '../device-config/device-config.service.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import type { Devices } from '../devices/devices.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Requests } from '../live-feeds/live-feeds.service.ts';
import type { Upgrades } from '../upgrades/upgrades.service.ts';
import type { BulkKind, BulkKinds, BulkOn, Of } from './bulk-kind.ts';
import { type BulkIdentity, certificatesKind } from './certificates-kind.ts';
import { mergedConfig } from './merged-config.ts';
import { type BulkPlugins, pluginsKind } from './plugins-kind.ts';

export interface BulkKindsOptions {
  upgrades: Upgrades;
  deviceAsks: DeviceAsks;
  deviceCommands: DeviceCommands;
  deviceConfigs: DeviceConfigs;
  deviceGroups: DeviceGroups;
  devices: Devices;
  plugins: BulkPlugins;
  deviceIdentity: BulkIdentity;
  requests: Requests;
  audit: Audit;
}

/** Characters of what a command printed that are kept for each device. */
const KEPT = 2000;

export function bulkKinds(of: BulkKindsOptions): BulkKinds {
  return {
    upgrade: upgradeKind(of),
    command: commandKind(of),
    config: configKind(of),
    labels: labelsKind(of),
    groups: groupsKind(of),
    plugins: pluginsKind(of),
    certificates: certificatesKind(of),
  };
}

const upgradeKind = ({ upgrades }: BulkKindsOptions): BulkKind<Of<'upgrade'>> => ({
  isOnDevice: true,
  canRepeat: true,
  about: () => upgrades.version(),
  preview: ({ device }, signal) => upgrades.preview(device, signal),
  run: ({ workgroup, device, by }, id, signal) => upgrades.upgrade({ id, workgroup, device, by }, signal),
});

const commandKind = ({ deviceCommands, requests, audit }: BulkKindsOptions): BulkKind<Of<'command'>> => {
  const lineOf = (workgroup: string, { command, values }: Of<'command'>) =>
    deviceCommands.filled(workgroup, command, values);
  return {
    isOnDevice: true,
    canRepeat: false,
    about: async (workgroup, work) => (await lineOf(workgroup, work)).name,
    preview: async ({ workgroup, device, work }) => {
      const { line, device: only } = await lineOf(workgroup, work);
      if (only !== null && only !== device) throw new AppError('device_command.not_found');
      return { before: '', after: line };
    },
    run: async ({ workgroup, device, work, by }, _id, signal) => {
      const { line, timeoutS, device: only } = await lineOf(workgroup, work);
      if (only !== null && only !== device) throw new AppError('device_command.not_found');
      const what = { controller: 'device_command', entity: 'device', action: 'run', newValue: line };
      const entry = { workgroup, device, at: Date.now(), ...what, by: by.email, address: by.address };
      await audit.settled(() => audit.record(entry));
      const reply = await requests.command(device, { cmd: line, timeoutS, disown: false }, signal);
      const said = [reply.error, reply.stdout, reply.stderr].filter(Boolean).join('\n').trim();
      const text = said.replaceAll('\0', '').slice(0, KEPT);
      if (reply.returnCode === 0 && reply.error === null && !reply.killed) return text;
      throw new AppError('device.unable', { why: text || `return code ${reply.returnCode ?? '-'}` });
    },
  };
};

const configKind = ({ deviceAsks, deviceConfigs }: BulkKindsOptions): BulkKind<Of<'config'>> => ({
  isOnDevice: true,
  canRepeat: true,
  about: async (_workgroup, { part }) => {
    mergedConfig('', part);
    return part.split('\n')[0]?.slice(0, 80) ?? '';
  },
  preview: async ({ device, work }, signal) => {
    const { text } = await deviceAsks.ask(device, 'config.read', {}, { signal });
    const after = mergedConfig(text, work.part);
    const { isUsable, problems } = await deviceAsks.ask(device, 'config.test', { text: after }, { signal });
    if (!isUsable) throw new AppError('device.invalid', { why: problems[0]?.message ?? '' });
    return { before: text, after };
  },
  run: async ({ workgroup, device, work, by }, _id, signal) => {
    const read = await deviceAsks.ask(device, 'config.read', {}, { signal });
    const text = mergedConfig(read.text, work.part);
    if (text === read.text) return null;
    const applied = await deviceConfigs.apply({ workgroup, device, by, signal }, text, read.hash);
    if (!applied.isApplied) throw new AppError('device.invalid', { why: applied.problems[0]?.message ?? '' });
    return null;
  },
});

const labelsKind = ({ devices }: BulkKindsOptions): BulkKind<Of<'labels'>> => {
  const change = async ({ workgroup, device, work }: BulkOn<Of<'labels'>>) => {
    const { settings } = await devices.get(workgroup, device, ALL_DEVICES);
    const before = infoOf(settings.info);
    const all = Object.entries({ ...before, ...work.labels });
    const after = Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null));
    return { before, after };
  };
  return {
    isOnDevice: false,
    canRepeat: true,
    about: async (_workgroup, { labels }) => Object.keys(labels).join(', ').slice(0, 80),
    preview: async (on) => {
      const { before, after } = await change(on);
      return { before: linesOf(before), after: linesOf(after) };
    },
    run: async (on) => {
      const { before, after } = await change(on);
      const { workgroup, device: id, by } = on;
      if (linesOf(before) !== linesOf(after)) {
        await devices.setSetting({ workgroup, id, scope: ALL_DEVICES }, 'info', after, by);
      }
      return null;
    },
  };
};

const groupsKind = ({ deviceGroups }: BulkKindsOptions): BulkKind<Of<'groups'>> => {
  const groupOf = async (workgroup: string, id: string) => {
    const group = (await deviceGroups.list(workgroup, ALL_DEVICES)).find(({ _id }) => _id === id);
    if (!group) throw new AppError('device_group.not_found');
    const { composition } = group;
    if (composition.type === 'META' || composition.type === 'SRC') {
      throw new AppError('device_group.not_a_list', { name: group.name });
    }
    return { group, composition };
  };
  return {
    isOnDevice: false,
    canRepeat: true,
    // A group is read and written as a whole.
    keyOf: ({ group }) => `group ${group}`,
    about: async (workgroup, { group }) => (await groupOf(workgroup, group)).group.name,
    preview: async ({ workgroup, device, work }) => {
      const { group, composition } = await groupOf(workgroup, work.group);
      const isIn = composition.devices.includes(device) === (composition.type === 'IN');
      return { before: isIn ? group.name : '', after: work.isIn ? group.name : '' };
    },
    run: async ({ workgroup, device, work, by }) => {
      const { group, composition } = await groupOf(workgroup, work.group);
      const others = composition.devices.filter((id) => id !== device);
      const isNamed = work.isIn === (composition.type === 'IN');
      const devices = isNamed ? [...others, device] : others;
      if (isNamed === composition.devices.includes(device)) return null;
      const changed = { name: group.name, composition: { ...composition, devices } };
      await deviceGroups.change(workgroup, group._id, changed, by);
      return null;
    },
  };
};

const linesOf = (info: Record<string, string>): string =>
  Object.entries(info)
    .map(([field, value]) => `${field}: ${value}`)
    .toSorted()
    .join('\n');
