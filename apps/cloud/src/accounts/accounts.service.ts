import { randomInt } from 'node:crypto';
import { RESET_MINUTES } from '@albedo/contract/accounts/accounts.schema';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { AccountAudit, Actor } from '../audit/account-audit.ts';
import { AppError } from '../http/app-error.ts';
import type { Mail, Mailer } from '../mail/mail.service.ts';
import { Attempts } from '../sessions/attempts.ts';
import { hashPassword, passwordFits } from '../sessions/passwords.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { SessionsStore, User } from '../sessions/sessions.store.ts';
import { passwordChangedMail, resetMail, singleSignOnMail } from './accounts.mails.ts';
import type { AccountsStore } from './accounts.store.ts';
import { hashOf, makeLinkToken } from './link-token.ts';

/** Between the answer and the look-up: the work of a mail must not fall into the time of an answer. */
const LOOKUP_DELAY_MS = [50, 300] as const;
const QUARTER_HOUR_MS = 15 * 60_000;
/** Reset e-mails to one address in a quarter of an hour. */
export const RESETS_AN_ADDRESS = 3;
/** Wrong old passwords in a quarter of an hour. */
export const WRONG_PASSWORDS = 10;

export interface AccountsOptions {
  store: AccountsStore;
  sessionsStore: SessionsStore;
  sessions: Sessions;
  mailer: Mailer;
  audit: AccountAudit;
  publicUrl: () => string;
}

/** Accounts of people and their passwords. */
export class Accounts {
  readonly #options: AccountsOptions;
  readonly #asked = new Attempts(RESETS_AN_ADDRESS, QUARTER_HOUR_MS);
  readonly #wrong = new Attempts(WRONG_PASSWORDS, QUARTER_HOUR_MS);

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  /**
   * Mails a link to set a new password, if the address has an account.
   *
   * Whether it has one is looked up after the answer, so that neither its words nor its time tell.
   */
  forgot(email: string, address: string): void {
    if (this.#asked.waitMs(email) > 0) return;
    this.#asked.fail(email);
    this.#options.mailer.send(async () => {
      await new Promise((resolve) => setTimeout(resolve, randomInt(...LOOKUP_DELAY_MS)));
      return this.#resetMail(email, address);
    });
  }

  /** Sets a new password. Throws `account.reset_invalid` unless the token is the latest, unused and not expired. */
  async reset(token: string, password: string, address: string): Promise<void> {
    const { store, sessionsStore } = this.#options;
    const userId = await store.takeReset(hashOf(token), new Date());
    const user = userId === null ? undefined : await sessionsStore.user(userId);
    if (!user) throw new AppError('account.reset_invalid');
    await this.#setPassword(user, password, null);
    await this.#record({ userId: user.id, email: user.email, address }, 'Reset password');
  }

  /** Sets a new password for the right old one; all other sessions end. */
  async changePassword(
    session: SessionClaims,
    change: { oldPassword: string; newPassword: string },
    address: string,
  ): Promise<void> {
    const actor = { userId: session._id, email: session.email, address };
    const waitMs = this.#wrong.waitMs(session._id);
    if (waitMs > 0) throw new AppError('request.too_many', { retryAfterS: waitMs / 1000 });
    const user = await this.#user(session._id);
    if (user.passwordHash === null) throw new AppError('account.password_missing');
    if (!(await passwordFits(change.oldPassword, user.passwordHash))) {
      this.#wrong.fail(session._id);
      await this.#record(actor, 'Change password', 'failed');
      throw new AppError('account.password_wrong');
    }
    this.#wrong.succeed(session._id);
    await this.#setPassword(user, change.newPassword, session.jti);
    await this.#record(actor, 'Change password');
  }

  /** Throws `account.email_taken` when an account has the address. */
  async demandAvailable(email: string): Promise<void> {
    if (await this.#options.sessionsStore.userByEmail(email)) throw new AppError('account.email_taken');
  }

  async #user(userId: string): Promise<User> {
    const user = await this.#options.sessionsStore.user(userId);
    if (!user) throw new AppError('request.unauthorized');
    return user;
  }

  async #setPassword(user: User, password: string, spared: string | null): Promise<void> {
    const { sessionsStore, sessions, store, mailer, publicUrl } = this.#options;
    await sessionsStore.setPassword(user.id, await hashPassword(password));
    await sessions.revokeUser(user.id, spared);
    await store.dropReset(user.id);
    mailer.send(passwordChangedMail(user, publicUrl()));
  }

  async #resetMail(email: string, address: string): Promise<Mail | null> {
    const { sessionsStore, store, publicUrl } = this.#options;
    const user = await sessionsStore.userByEmail(email);
    if (!user) return null;
    if (user.passwordHash === null) return singleSignOnMail(user, publicUrl());
    const { token, tokenHash } = makeLinkToken();
    await store.keepReset(user.id, tokenHash, new Date(Date.now() + RESET_MINUTES * 60_000));
    await this.#record({ userId: user.id, email, address }, 'Request password reset');
    return resetMail(user, `${publicUrl()}/reset/${token}`);
  }

  #record(actor: Actor, action: string, status: 'success' | 'failed' = 'success'): Promise<void> {
    return this.#options.audit.record(actor, { controller: 'me', action, attribute: 'password', status });
  }
}
