import type { Device } from '@albedo/contract/devices/devices.schema';
import { useWorkgroup } from '../../app/session.ts';
import classes from './audit.module.css';
import { AuditLog } from './audit-log.tsx';

/** What people did in the workgroup. */
export const WorkgroupLog = () => <AuditLog wg={useWorkgroup()} />;

/** What concerns no workgroup, for the provider's staff. */
export const ProviderLog = () => <AuditLog wg={null} />;

/** What people and the system did with one device. */
export function DeviceLog({ device }: { device: Device }) {
  return (
    <div className={classes.ofDevice}>
      <AuditLog wg={useWorkgroup()} device={device.id} />
    </div>
  );
}
