import { hostname } from 'node:os';
import type { DeviceLink } from '@albedo/device-link/device-link';
import { embeddedBroker } from '@albedo/device-link/embedded-broker';
import type { Authority } from '@albedo/pki/authority';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { Certificates } from './devices/certificates.service.ts';
import type { DeviceRegistry } from './devices/devices.registry.ts';

export interface OpenedLink {
  link: DeviceLink;
  /** Port of the embedded broker; null with an external one. */
  mqttPort: number | null;
  /** Where agents reach the broker. */
  mqtt: { hostname: string; port: number };
}

/** Our end of the device link, not started yet with an external broker; the embedded one listens already. */
export async function openLink(options: {
  config: Config;
  authority: Authority;
  certificates: Certificates;
  registry: DeviceRegistry;
  log: Logger;
}): Promise<OpenedLink> {
  const { config, authority, certificates, registry, log } = options;
  const hosts = [...new Set(['localhost', '127.0.0.1', '::1', hostname(), config.mqttPublicHost])];
  const { certPem, keyPem } = await authority.serverCertificate(hosts);
  const link = embeddedBroker({
    host: config.host,
    port: config.mqttPort,
    caPem: authority.caPem,
    certPem,
    keyPem,
    crlPem: await certificates.revocationList(),
    // A device that was deleted is as good as revoked, whatever its certificate says.
    isRevoked: async (serial, { device }) =>
      certificates.isRevoked(serial) || (await registry.find(device)) === null,
    log,
  });
  try {
    await link.start();
  } catch (error) {
    throw new Error(`the device link cannot listen on ALBEDO_MQTT_PORT: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return { link, mqttPort: link.port, mqtt: { hostname: config.mqttPublicHost, port: link.port } };
}
