import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import type { DeviceLink } from '@albedo/device-link/device-link';
import { embeddedBroker } from '@albedo/device-link/embedded-broker';
import type { Logger } from 'pino';
import type { Certificates } from '../certificates/certificates.service.ts';
import { authorityOf } from '../config/authority-file.ts';
import type { Config } from '../config/config.ts';
import type { DeviceRegistry } from '../registry/registry.ts';

export interface LinkOptions {
  config: Config;
  dataDir: string;
  certificates: Certificates;
  registry: DeviceRegistry;
  log: Logger;
}

/**
 * Our end of the device link, not started yet. Who is revoked stands with the authority's certificate in `<data>/ca`
 * (`crl.pem`, `ca.crt`) for an external broker to read.
 */
export async function makeLink(options: LinkOptions): Promise<DeviceLink> {
  const { config, dataDir, certificates } = options;
  const crlPem = await certificates.revocationList(options.registry.inQuarantine());
  await writeFile(join(dataDir, 'ca', 'ca.crt'), certificates.caPem);
  await writeFile(join(dataDir, 'ca', 'crl.pem'), crlPem);
  return config.mqttUrl ? external(config.mqttUrl, options) : embedded(options, crlPem);
}

async function embedded(options: LinkOptions, crlPem: string): Promise<DeviceLink> {
  const { config, certificates, registry, log } = options;
  const hosts = [...new Set(['localhost', '127.0.0.1', '::1', hostname(), config.mqttPublicHost])];
  return embeddedBroker({
    host: config.host,
    port: config.mqttPort,
    caPem: certificates.caPem,
    certificate: () => certificates.issueForServer(hosts),
    crlPem,
    isRevoked: async (serial, { device }) => {
      const known = await registry.find(device);
      // A device that was deleted is as good as revoked, whatever its certificate says.
      return certificates.isRevoked(serial) || known === null || known.quarantine !== null;
    },
    log,
  });
}

async function external(
  url: string,
  { config, certificates, registry, log }: LinkOptions,
): Promise<DeviceLink> {
  const { externalBroker } = await import('@albedo/device-link/external-broker');
  const ca = authorityOf(config);
  return externalBroker({
    url,
    identity: async (place) => {
      const clientId = `albedo-cloud-${place}`;
      const { certPem, keyPem } = await certificates.issueForCloud(clientId);
      return { clientId, certPem, keyPem };
    },
    caPem: [certificates.caPem, ...(ca === null ? rootCertificates : [ca])],
    refusalOf: (device) => {
      if (certificates.newest(device)?.revokedAt) return 'its certificate was revoked';
      return registry.known(device)?.quarantine ? 'it is in quarantine' : null;
    },
    log,
  });
}
