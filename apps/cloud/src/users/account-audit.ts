import type { Actor } from '../access/actor.ts';
import { type Audit, type AuditEntry, PROVIDER_LOG } from '../audit/audit.service.ts';
import type { UsersStore } from './users.store.ts';

/** What an account learns: a value, or what each workgroup's log may have of it. */
type Told = string | ((workgroup: string) => string);

type AccountEntry = Pick<AuditEntry, 'controller' | 'action' | 'attribute' | 'status'> & {
  oldValue?: Told | null;
  newValue?: Told | null;
};

/**
 * Writes what concerns an account into the audit log of every workgroup of the user, and into the provider's where there
 * is none.
 */
export class AccountAudit {
  readonly #audit: Audit;
  readonly #store: UsersStore;

  constructor(audit: Audit, store: UsersStore) {
    this.#audit = audit;
    this.#store = store;
  }

  async record(actor: Actor, { oldValue, newValue, ...entry }: AccountEntry): Promise<void> {
    const at = Date.now();
    const memberships = await this.#store.memberships(actor.userId);
    const logs = memberships.length > 0 ? memberships : [{ workgroup: PROVIDER_LOG }];
    for (const { workgroup } of logs) {
      const { email, address } = actor;
      const values = { oldValue: textFor(workgroup, oldValue), newValue: textFor(workgroup, newValue) };
      this.#audit.record({ ...entry, ...values, workgroup, at, entity: 'user', by: email, address });
    }
  }
}

const textFor = (workgroup: string, told: Told | null | undefined): string | null =>
  typeof told === 'function' ? told(workgroup) : (told ?? null);
