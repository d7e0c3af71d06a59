import type { ConfirmFactor, SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { Confirmation } from '@albedo/contract/step-up/step-up.schema';
import type { Accounts } from '../accounts/accounts.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Mfa } from '../mfa/mfa.service.ts';
import type { Passkeys } from '../passkeys/passkeys.service.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { UsersStore } from '../users/users.store.ts';
import type { StepUpStore } from './step-up.store.ts';

export interface StepUpOptions {
  store: StepUpStore;
  sessions: Sessions;
  users: UsersStore;
  accounts: Accounts;
  mfa: Mfa;
  passkeys: Passkeys;
}

/** People confirm once more that it is them, before what a stolen session must not do. */
export class StepUp {
  readonly #options: StepUpOptions;

  constructor(options: StepUpOptions) {
    this.#options = options;
  }

  /** Never the password of an account with a second factor: it would be worth as much as both. */
  async factors(session: SessionClaims): Promise<ConfirmFactor[]> {
    if (session.idpId !== undefined) return ['sso'];
    const { factors } = await this.#options.users.secondFactor(session._id);
    return factors.length > 0 ? factors : ['password'];
  }

  /** Throws `passkey.not_found` where there is none. */
  askPasskey(session: SessionClaims) {
    return this.#options.passkeys.ask(session, 'confirm');
  }

  /**
   * A token of the same session that is fresh. Throws what the factors throw when they are wrong, and
   * `request.forbidden` for one that the account is not confirmed with.
   */
  async confirm(session: SessionClaims, given: Confirmation, address: string): Promise<string> {
    const { sessions, accounts, mfa, passkeys } = this.#options;
    if (!(await this.factors(session)).includes(given.factor)) throw new AppError('request.forbidden');
    if (given.factor === 'password') await accounts.confirm(session, given.password, address);
    else if (given.factor === 'totp') await mfa.confirm(session, given.key, address);
    else await passkeys.confirm(session, given, address);
    return sessions.confirm(session, Math.floor(Date.now() / 1000), given.factor);
  }

  /** Each way into a device takes a confirmation that came after the last one. Throws `session.not_fresh`. */
  async takeConfirmation(session: SessionClaims): Promise<void> {
    const confirmedAt = new Date((session.confirmedAt ?? 0) * 1000);
    if (!(await this.#options.store.takeConfirmation(session._id, confirmedAt)))
      throw new AppError('session.not_fresh');
  }
}
