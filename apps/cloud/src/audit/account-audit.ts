import type { SessionsStore } from '../sessions/sessions.store.ts';
import type { Audit, AuditEntry } from './audit.service.ts';

/** Who does something, and from where. */
export interface Actor {
  userId: string;
  email: string;
  address: string;
}

/** Writes what concerns an account into the audit log of every workgroup of the user. */
export class AccountAudit {
  readonly #audit: Audit;
  readonly #store: SessionsStore;

  constructor(audit: Audit, store: SessionsStore) {
    this.#audit = audit;
    this.#store = store;
  }

  async record(
    actor: Actor,
    entry: Pick<AuditEntry, 'controller' | 'action' | 'attribute' | 'oldValue' | 'newValue' | 'status'>,
  ): Promise<void> {
    const at = Date.now();
    for (const { workgroup } of await this.#store.memberships(actor.userId)) {
      const { email, address } = actor;
      this.#audit.record({ ...entry, workgroup, at, entity: 'user', by: email, address });
    }
  }
}
