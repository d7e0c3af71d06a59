import type { UserEntry } from '@albedo/contract/user-admin/user-admin.schema';
import type { Actor } from '../access/actor.ts';
import type { Accounts } from '../accounts/accounts.service.ts';
import { type Audit, PROVIDER_LOG } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import { domainOf } from '../users/users.store.ts';
import type { UserAdminStore } from './user-admin.store.ts';

export interface UserAdminOptions {
  store: UserAdminStore;
  sessions: Sessions;
  accounts: Accounts;
  audit: Audit;
  staffDomains: string[];
}

/** What the staff do with the users of all workgroups. */
export class UserAdmin {
  readonly #options: UserAdminOptions;

  constructor(options: UserAdminOptions) {
    this.#options = options;
  }

  async list(search: string): Promise<UserEntry[]> {
    return (await this.#options.store.users(search)).map((row) => this.#userEntry(row));
  }

  /** Throws `request.not_found`. The user's sessions end, so that it counts at once. */
  setMfaRequired(id: string, mfaRequired: boolean, by: Actor): Promise<UserEntry> {
    const { store, sessions } = this.#options;
    return store.alone(id, async () => {
      const before = await this.#user(id);
      await store.setMfaRequired(id, mfaRequired);
      if (mfaRequired && !before.hasMfa) await sessions.revokeUser(id);
      const [oldValue, newValue] = [String(before.mfaRequired), String(mfaRequired)];
      this.#recordUser(before.email, by, { action: 'update', attribute: 'mfaRequired', oldValue, newValue });
      return this.#userEntry(await this.#user(id));
    });
  }

  /** Throws `request.not_found`, `account.password_missing`. */
  async sendReset(id: string, by: Actor): Promise<void> {
    const user = await this.#user(id);
    if (user.passwordHash === null) throw new AppError('account.password_missing');
    this.#options.accounts.forgot(user.email, by.address);
    this.#recordUser(user.email, by, { action: 'reset' });
  }

  /** Throws `request.not_found`. */
  async endSessions(id: string, by: Actor): Promise<void> {
    const { email } = await this.#user(id);
    await this.#options.sessions.revokeUser(id);
    this.#recordUser(email, by, { action: 'end-sessions' });
  }

  async #user(id: string) {
    const user = await this.#options.store.user(id);
    if (!user) throw new AppError('request.not_found');
    return user;
  }

  #userEntry(row: Awaited<ReturnType<UserAdminStore['users']>>[number]): UserEntry {
    return {
      _id: row.id,
      email: row.email,
      name: row.name,
      workgroups: row.workgroups,
      hasMfa: row.hasMfa,
      mfaRequired: row.mfaRequired,
      hasPassword: row.passwordHash !== null,
      isStaff: this.#options.staffDomains.includes(domainOf(row.email)),
      createdAt: row.createdAt.getTime(),
      lastSignInAt: row.lastSignInAt?.getTime() ?? null,
    };
  }

  #recordUser(
    entity: string,
    { email, address }: Actor,
    what: { action: string; attribute?: string; oldValue?: string; newValue?: string },
  ): void {
    const entry = { workgroup: PROVIDER_LOG, at: Date.now(), controller: 'user', entity, by: email, address };
    this.#options.audit.record({ ...entry, ...what });
  }
}
