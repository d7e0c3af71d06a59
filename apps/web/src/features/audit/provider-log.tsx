import { AuditLog } from './audit-log.tsx';

/** What concerns no workgroup, for the provider's staff. */
export const ProviderLog = () => <AuditLog wg={null} />;
