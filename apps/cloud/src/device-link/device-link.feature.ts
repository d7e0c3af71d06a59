import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { RedisClientType } from 'redis';
import { type Bus, hear } from '../bus/bus.ts';
import type { Certificates } from '../certificates/certificates.service.ts';
import { certificateRevoked } from '../certificates/certificates.topics.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import { quarantineChanged } from '../registry/registry.topics.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import { makeLink } from './brokers.ts';
import { DeviceLink } from './device-link.service.ts';
import { addressAsked, addressTold, devicePresence, requestAsked } from './device-link.topics.ts';

/** Our end of the link to the devices. It is silent until somebody has it listen. */
export async function openDeviceLink(of: {
  config: Config;
  dataDir: string;
  certificates: Certificates;
  registry: DeviceRegistry;
  redis: RedisClientType | null;
  bus: Bus;
  log: Logger;
}): Promise<Feature<DeviceLink>> {
  const { config, dataDir, certificates, registry, redis, bus } = of;
  const link = config.roles.has('ingest') ? await makeLink(of) : null;
  const service = new DeviceLink({ config, bus, link, redis });
  if (!link) return { name: 'device-link', service };
  link.onPresence((device, online, at) => void bus.publish(devicePresence, { device, online, at }));
  const recall = async (then: () => Promise<void>) => {
    const crlPem = await certificates.revocationList(registry.inQuarantine());
    link.replaceRevocations(crlPem);
    await then();
    await writeFile(join(dataDir, 'ca', 'crl.pem'), crlPem);
  };
  return {
    name: 'device-link',
    service,
    hears: [
      hear(certificateRevoked, ({ id, isOnTrial }) =>
        recall(async () => {
          if (!isOnTrial) await link.disconnect(id);
        }),
      ),
      hear(quarantineChanged, ({ id }) =>
        recall(() => (registry.known(id)?.quarantine ? link.disconnect(id) : link.readmit(id))),
      ),
      hear(addressAsked, ({ id, device }, { isOwn }) => {
        const address = isOwn ? null : link.addressOf(device);
        if (address !== null) void bus.publish(addressTold, { id, address });
      }),
      hear(requestAsked, async ({ id, device, request }, { isOwn }) => {
        if (isOwn || !link.isConnected) return;
        if (!link.reachesAll || (await service.isFirst(id))) await service.ask(device, request);
      }),
    ],
    stop: () => link.stop(),
  };
}
