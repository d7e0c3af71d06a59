import { useWorkgroup } from '../../app/session.ts';
import { AuditLog } from './audit-log.tsx';

/** What people did in the workgroup. */
export const WorkgroupLog = () => <AuditLog wg={useWorkgroup()} />;

/** What concerns no workgroup, for the provider's staff. */
export const ProviderLog = () => <AuditLog wg={null} />;
