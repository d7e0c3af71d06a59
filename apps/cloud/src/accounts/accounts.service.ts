import { randomInt } from 'node:crypto';
import { RESET_MINUTES } from '@albedo/contract/accounts/accounts.schema';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { Actor } from '../access/actor.ts';
import type { Attempts } from '../attempts/attempts.ts';
import { AppError } from '../errors/app-error.ts';
import type { Mail, Mailer } from '../mail/mail.service.ts';
import { hashOf, makeLinkToken } from '../secrets/link-token.ts';
import { demandGoodPassword } from '../secrets/password-rules.ts';
import { hashPassword, passwordFits } from '../secrets/passwords.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { AccountAudit } from '../users/account-audit.ts';
import type { User, UsersStore } from '../users/users.store.ts';
import { passwordChangedMail, resetMail, singleSignOnMail } from './accounts.mails.ts';
import type { AccountsStore } from './accounts.store.ts';

/** Between the answer and the look-up: the work of a mail must not fall into the time of an answer. */
const LOOKUP_DELAY_MS = [50, 300] as const;
const QUARTER_HOUR_MS = 15 * 60_000;
/** Reset e-mails to one address in a quarter of an hour. */
export const RESETS_AN_ADDRESS = 3;
/** Wrong old passwords in a quarter of an hour. */
export const WRONG_PASSWORDS = 10;
const ASKED = { name: 'reset asked', limit: RESETS_AN_ADDRESS, windowMs: QUARTER_HOUR_MS };
const WRONG = { name: 'old password', limit: WRONG_PASSWORDS, windowMs: QUARTER_HOUR_MS };

export interface AccountsOptions {
  store: AccountsStore;
  users: UsersStore;
  sessions: Sessions;
  settings: Settings;
  mailer: Mailer;
  audit: AccountAudit;
  attempts: Attempts;
  publicUrl: () => string;
}

/** Accounts of people and their passwords. */
export class Accounts {
  readonly #options: AccountsOptions;

  constructor(options: AccountsOptions) {
    this.#options = options;
  }

  /**
   * Mails a link to set a new password, if the address has an account; one that points to single sign-on, if no password
   * opens anything for it.
   *
   * Whether it has one is looked up after the answer, so that neither its words nor its time tell.
   */
  forgot(email: string, address: string): void {
    const { mailer, attempts } = this.#options;
    mailer.send(async () => {
      await new Promise((resolve) => setTimeout(resolve, randomInt(...LOOKUP_DELAY_MS)));
      const isTooOften = (await attempts.count([ASKED, email])) > 0;
      return isTooOften ? null : this.#resetMail(email, address);
    });
  }

  /**
   * Sets a new password; wrong ones from before count no more, neither those of `browserOf` the account. Throws
   * `account.reset_invalid` unless the token is the latest, unused and not expired, and `account.by_provider` for
   * somebody whom no password opens anything.
   */
  async reset(
    token: string,
    password: string,
    address: string,
    browserOf: (email: string) => string | null,
  ): Promise<void> {
    const { store, users, sessions } = this.#options;
    const asker = await store.resetOf(hashOf(token), new Date());
    const user = asker === null ? undefined : await users.user(asker);
    if (!user) throw new AppError('account.reset_invalid');
    if (await sessions.signsInElsewhere(user.id)) throw new AppError('account.by_provider');
    // Before the link is used up: who has to choose again keeps it.
    await demandGoodPassword(password, user);
    if ((await store.takeReset(hashOf(token), new Date())) !== user.id)
      throw new AppError('account.reset_invalid');
    await this.#setPassword(user, password, null);
    await sessions.forgetFailures(user.email, address, browserOf(user.email));
    await this.#record({ userId: user.id, email: user.email, address }, 'Reset password');
  }

  /** Sets a new password for the right old one; all other sessions end. */
  async changePassword(
    session: SessionClaims,
    change: { oldPassword: string; newPassword: string },
    address: string,
  ): Promise<void> {
    const actor = { userId: session._id, email: session.email, address };
    const user = await this.#user(session._id);
    await this.demandPassword(user, change.oldPassword, () =>
      this.#record(actor, 'Change password', 'failed'),
    );
    await demandGoodPassword(change.newPassword, user, 'newPassword');
    await this.#setPassword(user, change.newPassword, session.jti);
    await this.#record(actor, 'Change password');
  }

  /** The password as a proof that the holder of the session is there. Throws what `demandPassword` throws. */
  async confirm(session: SessionClaims, password: string, address: string): Promise<void> {
    const actor = { userId: session._id, email: session.email, address };
    const user = await this.#user(session._id);
    await this.demandPassword(user, password, () => this.#record(actor, 'Confirm', 'failed'));
    await this.#record(actor, 'Confirm');
  }

  /**
   * Throws `account.password_wrong` after telling so, `account.password_missing`, and `request.too_many` after too many
   * wrong ones.
   */
  async demandPassword(user: User, password: string, onWrong: () => Promise<void>): Promise<void> {
    const { attempts } = this.#options;
    if (user.passwordHash === null) throw new AppError('account.password_missing');
    await attempts.take([WRONG, user.id]);
    if (!(await passwordFits(password, user.passwordHash))) {
      await onWrong();
      throw new AppError('account.password_wrong');
    }
    await attempts.forget([WRONG, user.id]);
  }

  /** Throws `account.email_taken` when an account has the address. */
  async demandAvailable(email: string): Promise<void> {
    if (await this.#options.users.userByEmail(email)) throw new AppError('account.email_taken');
  }

  async #user(userId: string): Promise<User> {
    const user = await this.#options.users.user(userId);
    if (!user) throw new AppError('request.unauthorized');
    return user;
  }

  async #setPassword(user: User, password: string, spared: string | null): Promise<void> {
    const { users, sessions, settings, store, mailer, publicUrl } = this.#options;
    await users.setPassword(user.id, await hashPassword(password));
    await sessions.revokeUser(user.id, spared);
    await store.dropReset(user.id);
    mailer.send(async () => passwordChangedMail(user, await settings.languageOf(user.id), publicUrl()));
  }

  async #resetMail(email: string, address: string): Promise<Mail | null> {
    const { sessions, users, settings, store, publicUrl } = this.#options;
    const user = await users.userByEmail(email);
    if (!user) return null;
    const language = await settings.languageOf(user.id);
    if (await sessions.signsInElsewhere(user.id)) return singleSignOnMail(user, language, publicUrl());
    const { token, tokenHash } = makeLinkToken();
    await store.keepReset(user.id, tokenHash, new Date(Date.now() + RESET_MINUTES * 60_000));
    await this.#record({ userId: user.id, email, address }, 'Request password reset');
    return resetMail(user, language, `${publicUrl()}/reset/${token}`);
  }

  #record(actor: Actor, action: string, status: 'success' | 'failed' = 'success'): Promise<void> {
    return this.#options.audit.record(actor, { controller: 'me', action, attribute: 'password', status });
  }
}
