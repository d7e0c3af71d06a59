import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { RedisClientType } from 'redis';
import { type Bus, hear } from '../bus/bus.ts';
import type { Certificates } from '../certificates/certificates.service.ts';
import { certificateRevoked } from '../certificates/certificates.topics.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import { makeLink } from './brokers.ts';
import { DeviceLink } from './device-link.service.ts';
import { devicePresence, requestAsked } from './device-link.topics.ts';

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
  const { config, dataDir, certificates, redis, bus } = of;
  const link = config.roles.has('ingest') ? await makeLink(of) : null;
  const service = new DeviceLink({ config, bus, link, redis });
  if (!link) return { name: 'device-link', service };
  link.onPresence((device, online, at) => void bus.publish(devicePresence, { device, online, at }));
  return {
    name: 'device-link',
    service,
    hears: [
      hear(certificateRevoked, async ({ id, isOnTrial }) => {
        const crlPem = await certificates.revocationList();
        link.replaceRevocations(crlPem);
        if (!isOnTrial) await link.disconnect(id);
        await writeFile(join(dataDir, 'ca', 'crl.pem'), crlPem);
      }),
      hear(requestAsked, async ({ id, device, request }, { isOwn }) => {
        if (isOwn || !link.isConnected) return;
        if (!link.reachesAll || (await service.isFirst(id))) await service.ask(device, request);
      }),
    ],
    stop: () => link.stop(),
  };
}
