import type { Postgres } from '@albedo/postgres/postgres';
import type { Audit } from '../audit/audit.service.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import { AccountAudit } from './account-audit.ts';
import { Staff } from './staff.ts';
import { UsersStore } from './users.store.ts';

/** The people there are, and what is written down about their accounts. */
export function openUsers(of: {
  config: Config;
  postgres: Postgres;
  audit: Audit;
}): Feature<{ users: UsersStore; accountAudit: AccountAudit; staff: Staff }> {
  const { config, postgres, audit } = of;
  const users = new UsersStore(postgres, {
    mfaDomains: config.staffMfa ? config.staffDomains : [],
    mfaOfAll: config.mfaOfAll,
  });
  const accountAudit = new AccountAudit(audit, users);
  return {
    name: 'users',
    service: { users, accountAudit, staff: new Staff(users, config) },
    workgroupPart: { closing: (workgroup) => users.forgetDefault(workgroup) },
  };
}
