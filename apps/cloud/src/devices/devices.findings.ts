import { devicesApi } from '@albedo/contract/devices/devices.api';
import type { Certificates } from '../certificates/certificates.service.ts';
import { type FindingSource, foundOf } from '../house/finding.ts';
import type { DeviceRegistry } from '../registry/registry.ts';

/** Devices renew their certificates much earlier than this; one that is so close to its end will not be renewed. */
const SOON_MS = 30 * 86_400_000;

/** Devices in quarantine, and devices whose certificate ends soon. */
export function devicesFindings({
  registry,
  certificates,
}: {
  registry: DeviceRegistry;
  certificates: Certificates;
}): FindingSource[] {
  const { access } = devicesApi.list;
  return [
    {
      kind: 'devices-kept-out',
      access,
      find: ({ workgroup, scope }) =>
        foundOf(
          'warning',
          registry
            .visible(workgroup, scope)
            .flatMap(({ id: device, name, quarantine }) =>
              quarantine ? [{ device, name, text: quarantine.reason || null, at: quarantine.since }] : [],
            )
            .sort((a, b) => b.at - a.at),
        ),
    },
    {
      kind: 'device-certificates',
      access,
      find: ({ workgroup, scope, now }) => {
        const ending = registry
          .visible(workgroup, scope)
          .flatMap(({ id: device, name }) => {
            const newest = certificates.newest(device);
            const at = newest && !newest.revokedAt ? newest.notAfter.getTime() : Number.POSITIVE_INFINITY;
            return at - now < SOON_MS ? [{ device, name, at }] : [];
          })
          .sort((a, b) => a.at - b.at);
        return foundOf(ending.some(({ at }) => at <= now) ? 'danger' : 'warning', ending);
      },
    },
  ];
}
