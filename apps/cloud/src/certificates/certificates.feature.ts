import type { Authority } from '@albedo/pki/authority';
import type { Postgres } from '@albedo/postgres/postgres';
import { type Bus, hear } from '../bus/bus.ts';
import { certificatesPart } from '../database/devices.tables.ts';
import type { Feature } from '../house/feature.ts';
import { Certificates } from './certificates.service.ts';
import { CertificatesStore } from './certificates.store.ts';
import { certificateChanged } from './certificates.topics.ts';

/** Who devices are to the device link. */
export function openCertificates(of: {
  postgres: Postgres;
  authority: Authority;
  bus: Bus;
}): Feature<Certificates> {
  const certificates = new Certificates(new CertificatesStore(of.postgres), of.authority, of.bus);
  return {
    name: 'certificates',
    service: certificates,
    // The revocation list needs them.
    workgroupPart: { tables: certificatesPart },
    hears: [
      hear(certificateChanged, ({ id, isOnTrial }, { isOwn }) =>
        isOwn ? undefined : certificates.reload(id, isOnTrial),
      ),
    ],
    start: () => certificates.start(),
  };
}
