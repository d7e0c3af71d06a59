import type { Logger } from 'pino';
import { type Audit, PROVIDER_LOG } from '../audit/audit.service.ts';
import { hear, type Subscription } from '../bus/bus.ts';
import type { AccountAudit } from '../users/account-audit.ts';
import { signedIn, strangerTried } from './sessions.topics.ts';

/** Writes every try to sign in into the audit log: into the provider's where nobody has the address. */
export function signInAudit(of: { accountAudit: AccountAudit; audit: Audit; log: Logger }): Subscription[] {
  const { accountAudit, audit, log } = of;
  return [
    hear(signedIn, ({ user, address, isRight, needsCode }) => {
      const actor = { userId: user.id, email: user.email, address };
      const status = isRight ? 'success' : 'failed';
      const attribute = needsCode ? { attribute: 'MFA send challenge' } : {};
      return accountAudit
        .record(actor, { controller: 'auth', action: 'login', status, ...attribute })
        .catch((err) => log.warn({ err }, 'a sign-in could not be written to the audit log'));
    }),
    hear(strangerTried, ({ email, address }) => {
      const entry = { workgroup: PROVIDER_LOG, at: Date.now(), controller: 'auth', action: 'login' };
      audit.record({ ...entry, entity: email, address, status: 'failed' });
    }),
  ];
}
