import type { SessionsStore } from '../sessions/sessions.store.ts';
import { type Audit, type AuditEntry, PROVIDER_LOG } from './audit.service.ts';

/** Who does something, and from where. */
export interface Actor {
  userId: string;
  email: string;
  address: string;
}

/** What an account is told of: a value, or what each workgroup's log may have of it. */
type Told = string | ((workgroup: string) => string);

/**
 * Writes what concerns an account into the audit log of every workgroup of the user, and into the provider's where there
 * is none.
 */
export class AccountAudit {
  readonly #audit: Audit;
  readonly #store: SessionsStore;

  constructor(audit: Audit, store: SessionsStore) {
    this.#audit = audit;
    this.#store = store;
  }

  async record(
    actor: Actor,
    entry: Pick<AuditEntry, 'controller' | 'action' | 'attribute' | 'status'> & {
      oldValue?: Told;
      newValue?: Told;
    },
  ): Promise<void> {
    const at = Date.now();
    const memberships = await this.#store.memberships(actor.userId);
    const logs = memberships.length > 0 ? memberships : [{ workgroup: PROVIDER_LOG }];
    for (const { workgroup } of logs) {
      const { email, address } = actor;
      const of = { ...entry, ...valuesFor(workgroup, entry) };
      this.#audit.record({ ...of, workgroup, at, entity: 'user', by: email, address });
    }
  }
}

function valuesFor(
  workgroup: string,
  { oldValue, newValue }: { oldValue?: Told; newValue?: Told },
): Pick<AuditEntry, 'oldValue' | 'newValue'> {
  const textOf = (told: Told) => (typeof told === 'string' ? told : told(workgroup));
  return {
    ...(oldValue === undefined ? {} : { oldValue: textOf(oldValue) }),
    ...(newValue === undefined ? {} : { newValue: textOf(newValue) }),
  };
}
