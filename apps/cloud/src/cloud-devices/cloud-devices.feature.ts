import { join } from 'node:path';
import { cloudDevicesApi } from '@albedo/contract/cloud-devices/cloud-devices.api';
import { PRODUCT } from '@albedo/contract/product';
import type { Postgres } from '@albedo/postgres/postgres';
import { actorOf } from '../access/actor.ts';
import { hear } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import type { Devices } from '../devices/devices.service.ts';
import { deviceRemoved } from '../devices/devices.topics.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { PACK_SOURCES, type PackSources } from '../packs/packs.service.ts';
import { CloudDevices, type CloudDevicesOptions } from './cloud-devices.service.ts';
import { CloudDevicesStore } from './cloud-devices.store.ts';
import { cloudDevicesPart } from './cloud-devices.tables.ts';
import { cloudDeviceChanged } from './cloud-devices.topics.ts';
import { NatGatewaysStore } from './nat-gateways.store.ts';

type Own = 'store' | 'gateways' | 'home' | 'agent' | 'pluginOf' | 'launcher' | 'networks' | 'isKeeper';

/** Devices that are no machine in a plant: the cloud runs their agents. */
export function openCloudDevices(
  of: Omit<CloudDevicesOptions, Own> & {
    postgres: Postgres;
    devices: Devices;
    config: Config;
    dataDir: string;
    packSources: PackSources | undefined;
  },
): Feature<CloudDevices> {
  const { config, dataDir, packSources: { agentDist, pluginsDir } = PACK_SOURCES } = of;
  const cloudDevices = new CloudDevices({
    ...of,
    store: new CloudDevicesStore(of.postgres),
    gateways: new NatGatewaysStore(of.postgres),
    home: join(dataDir, 'cloud-devices'),
    agent: join(agentDist, 'agent.mjs'),
    pluginOf: (name) => join(pluginsDir, name, 'dist', `${name}_${PRODUCT}.mjs`),
    launcher: config.cedLauncher === null ? [] : [config.cedLauncher],
    networks: config.outboundNetworks,
    isKeeper: config.roles.has('jobs'),
  });
  const { natGateways } = cloudDevices;
  of.devices.hostedBy(cloudDevices);
  const at = (call: { workgroup: string; params: { device: string } }) => ({
    workgroup: call.workgroup,
    device: call.params.device,
  });
  return {
    name: 'cloud-devices',
    service: cloudDevices,
    workgroupPart: { tables: cloudDevicesPart },
    hears: [
      hear(cloudDeviceChanged, (change) => cloudDevices.changed(change)),
      hear(deviceRemoved, ({ id }) => cloudDevices.removed(id)),
    ],
    start: () => cloudDevices.start(),
    stop: () => cloudDevices.stop(),
    routes: (app) =>
      bind(app, cloudDevicesApi, {
        clouds: () => cloudDevices.clouds(),
        natGateway: ({ workgroup }) => natGateways.get(workgroup),
        createNatGateway: (call) => natGateways.create(call.workgroup, call.body, actorOf(call)),
        grantNatAccess: (call) => natGateways.grant(call.workgroup, call.body, actorOf(call)),
        removeNatGateway: async (call) => {
          await natGateways.remove(call.workgroup, actorOf(call));
          return {};
        },
        get: ({ params }) => cloudDevices.get(params.device),
        wish: (call) => cloudDevices.wish(at(call), call.body, actorOf(call)),
        network: ({ params }) => cloudDevices.network(params.device),
        setFile: (call) =>
          cloudDevices.setSecret(at(call), 'file', call.params.file, call.body.content, actorOf(call)),
        removeFile: (call) => cloudDevices.removeSecret(at(call), 'file', call.params.file, actorOf(call)),
        setVariable: (call) =>
          cloudDevices.setSecret(at(call), 'variable', call.params.variable, call.body.value, actorOf(call)),
        removeVariable: (call) =>
          cloudDevices.removeSecret(at(call), 'variable', call.params.variable, actorOf(call)),
      }),
  };
}
