import { VALIDITY_MS } from '@albedo/pki/authority';
import type { DeviceIdentity } from '../device-identity/device-identity.service.ts';
import type { BulkKind, Of } from './bulk-kind.ts';

type Work = Of<'certificates'>;
const DAY_MS = 86_400_000;

/** What it takes of device identities to do this. */
export type BulkIdentity = Pick<DeviceIdentity, 'held' | 'replace'>;

/** Another certificate for many devices, or for those among them whose certificate ends soon. */
export function certificatesKind({ deviceIdentity }: { deviceIdentity: BulkIdentity }): BulkKind<Work> {
  /** The certificate of a device, and whether it is to be replaced. Throws `device.hosted`. */
  const heldOf = async (workgroup: string, device: string, { endsWithinDays }: Work) => {
    const held = await deviceIdentity.held(workgroup, device);
    const isDue = endsWithinDays === null || !held || held.notAfter - Date.now() < endsWithinDays * DAY_MS;
    return { held, isDue };
  };
  return {
    isOnDevice: true,
    // A second replacement does no harm; the device is never without one that is good.
    canRepeat: true,
    about: async (_workgroup, { endsWithinDays }) => (endsWithinDays === null ? '' : `< ${endsWithinDays} d`),
    preview: async ({ workgroup, device, work }) => {
      const { held, isDue } = await heldOf(workgroup, device, work);
      const before = held ? `${held.serial}, ${dayOf(held.notAfter)}` : '';
      return { before, after: isDue ? `…, ${dayOf(Date.now() + VALIDITY_MS.device)}` : before };
    },
    run: async (on, _id, signal) => {
      const { workgroup, device, by, work } = on;
      if (!(await heldOf(workgroup, device, work)).isDue) return null;
      const { serial, notAfter } = await deviceIdentity.replace({ workgroup, device, by, signal });
      return `${serial}, ${dayOf(notAfter)}`;
    },
  };
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
