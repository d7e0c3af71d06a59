import { randomInt } from 'node:crypto';
import { scopeIn } from '@albedo/contract/access/permissions';
import {
  type ChangedProfile,
  EMAIL_CODE_MINUTES,
  type ProfileChange,
  REVERT_DAYS,
  type UserProfile,
} from '@albedo/contract/accounts/accounts.schema';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { Attempts } from '../attempts/attempts.ts';
import { AppError } from '../errors/app-error.ts';
import type { Mail, Mailer } from '../mail/mail.service.ts';
import { hashOf, makeLinkToken } from '../secrets/link-token.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { AccountAudit } from '../users/account-audit.ts';
import { domainOf, type UsersStore } from '../users/users.store.ts';
import { addressTakenMail, emailChangedMail, emailCodeMail } from './accounts.mails.ts';
import type { Accounts } from './accounts.service.ts';
import type { ProfilesStore } from './profiles.store.ts';

const QUARTER_HOUR_MS = 15 * 60_000;
/** Wrong codes, and codes asked for, of one user in a quarter of an hour. */
export const EMAIL_ATTEMPTS = 5;
/** Codes asked for of one user in a day, so that patience does not guess the address of somebody else. */
export const EMAIL_CODES_A_DAY = 20;
const A_DAY = { name: 'e-mail in a day', limit: EMAIL_CODES_A_DAY, windowMs: 24 * 60 * 60_000 };
const ASKED = { name: 'e-mail asked', limit: EMAIL_ATTEMPTS, windowMs: QUARTER_HOUR_MS };
const WRONG = { name: 'e-mail code', limit: EMAIL_ATTEMPTS, windowMs: QUARTER_HOUR_MS };
/** The last wrong one ends the code. */
const MISSED = { name: 'e-mail missed', limit: EMAIL_ATTEMPTS - 1, windowMs: EMAIL_CODE_MINUTES * 60_000 };

export interface ProfilesOptions {
  store: ProfilesStore;
  users: UsersStore;
  sessions: Sessions;
  settings: Settings;
  mailer: Mailer;
  audit: AccountAudit;
  attempts: Attempts;
  staffDomains: string[];
  accounts: Accounts;
  publicUrl: () => string;
}

/** What users say of themselves, and their e-mail address, which counts once a code sent to it is entered. */
export class Profiles {
  readonly #options: ProfilesOptions;

  constructor(options: ProfilesOptions) {
    this.#options = options;
  }

  /** An identity provider's session is not told which other workgroup is the default one. */
  async get({ _id: userId, idpId, memberOf, addonManager = false }: SessionClaims): Promise<UserProfile> {
    const { store, sessions, users } = this.#options;
    const row = await store.profile(userId);
    if (!row) throw new AppError('request.unauthorized');
    const { passwordHash, ...profile } = row;
    const [{ factors, isRequired }, signsInElsewhere] = await Promise.all([
      users.secondFactor(userId),
      sessions.signsInElsewhere(userId),
    ]);
    const isElsewhere = idpId !== undefined && !memberOf.includes(profile.defaultWorkgroup ?? '');
    return {
      ...profile,
      defaultWorkgroup: isElsewhere ? null : profile.defaultWorkgroup,
      hasPassword: passwordHash !== null && !signsInElsewhere,
      totp: { isConfirmed: factors.includes('totp') },
      mfaRequired: isRequired,
      addonManager,
    };
  }

  /** Throws `request.forbidden` for a default workgroup that the user is no member of. */
  async update(session: SessionClaims, change: ProfileChange, address: string): Promise<ChangedProfile> {
    const { defaultWorkgroup } = change;
    if (defaultWorkgroup !== undefined && !scopeIn(session, defaultWorkgroup)) {
      throw new AppError('request.forbidden');
    }
    const before = await this.get(session);
    const changed = (Object.keys(change) as (keyof ProfileChange)[]).filter(
      (key) => change[key] !== before[key],
    );
    const { store, sessions, audit } = this.#options;
    if (changed.length === 0) return { ...before, token: await sessions.renew(session) };
    await store.setProfile(session._id, change);
    const after = await this.get(session);
    const record = (of: UserProfile) => (workgroup: string) => {
      const isElsewhere = of.defaultWorkgroup !== null && of.defaultWorkgroup !== workgroup;
      return JSON.stringify({ ...of, ...(isElsewhere ? { defaultWorkgroup: 'another one' } : {}) }, changed);
    };
    await audit.record(actorOf(session, address), {
      controller: 'me',
      action: 'update',
      attribute: 'record',
      oldValue: record(before),
      newValue: record(after),
    });
    return { ...after, token: await sessions.renew(session) };
  }

  /**
   * Mails the code. Only that address learns whether another account has it.
   *
   * Throws `account.email_reserved`: the e-mail domain makes the provider's staff, which six digits must not.
   */
  async changeEmail(session: SessionClaims, email: string, address: string): Promise<void> {
    const { mailer, staffDomains } = this.#options;
    if (staffDomains.includes(domainOf(email))) throw new AppError('account.email_reserved');
    await this.#options.attempts.take([ASKED, session._id], [A_DAY, session._id]);
    await this.#record(session, address, 'Request email change', true);
    mailer.send(() => this.#codeMail(session, email));
  }

  /** A new session token for the right code. Throws `account.email_code_invalid`, `account.email_taken`, `request.too_many`. */
  async confirmEmail(session: SessionClaims, code: string, address: string): Promise<string> {
    const { store, sessions, users, settings, mailer, attempts, publicUrl } = this.#options;
    await attempts.take([WRONG, session._id]);
    const changed = await store.takeEmail(session._id, codeHashOf(session._id, code), new Date());
    await this.#record(session, address, 'Change email', changed !== null && changed !== 'taken');
    // Whoever has the code reads the mail of the address, and may know.
    if (changed === 'taken') throw new AppError('account.email_taken');
    const user = await users.user(session._id);
    if (!changed || !user) {
      if ((await attempts.count([MISSED, session._id])) > 0) await store.dropEmail(session._id);
      throw new AppError('account.email_code_invalid');
    }
    await attempts.forget([WRONG, session._id], [MISSED, session._id]);
    // A session that was one of the staff's would go on being one.
    await sessions.revokeUser(user.id, session.staff ? null : session.jti);
    const { token, tokenHash } = makeLinkToken();
    const expiresAt = new Date(Date.now() + REVERT_DAYS * 86_400_000);
    await store.keepRevert({ userId: user.id, email: changed.old, tokenHash, expiresAt });
    mailer.send(async () => {
      const language = await settings.languageOf(user.id);
      const link = `${publicUrl()}/revert-email/${token}`;
      return emailChangedMail({ name: user.name, email: changed.old }, language, changed.email, link);
    });
    // A token made in the millisecond of the revocation would be revoked by it.
    await new Promise((resolve) => setTimeout(resolve, 2));
    // Reading a mail proves no factor.
    return sessions.issue(user, { confirmedAt: session.confirmedAt ?? null });
  }

  /**
   * Gives the account its old address back, for the link that went there: all sessions and the password end, since
   * whoever took the account over may have both, and the old address gets a link for a new password. Throws
   * `account.revert_invalid`, `account.email_taken`.
   */
  async revertEmail(token: string, address: string): Promise<string> {
    const { store, sessions, users, audit, accounts } = this.#options;
    const reverted = await store.revertEmail(hashOf(token), new Date());
    if (reverted === 'taken') throw new AppError('account.email_taken');
    const user = reverted === null ? undefined : await users.user(reverted.userId);
    if (!user) throw new AppError('account.revert_invalid');
    await sessions.revokeUser(user.id);
    const actor = { userId: user.id, email: user.email, address };
    await audit.record(actor, {
      controller: 'me',
      action: 'Revert email',
      attribute: 'email',
      status: 'success',
    });
    accounts.forgot(user.email, address);
    return user.email;
  }

  async #codeMail(session: SessionClaims, email: string): Promise<Mail> {
    const { store, users, settings, attempts } = this.#options;
    const holder = await users.userByEmail(email);
    if (holder) return addressTakenMail(email, await settings.languageOf(holder.id));
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    const expiresAt = new Date(Date.now() + EMAIL_CODE_MINUTES * 60_000);
    await attempts.forget([MISSED, session._id]);
    await store.keepEmail(session._id, { email, codeHash: codeHashOf(session._id, code), expiresAt });
    return emailCodeMail({ name: session.name, email }, await settings.languageOf(session._id), code);
  }

  #record(session: SessionClaims, address: string, action: string, isDone: boolean): Promise<void> {
    const status = isDone ? 'success' : 'failed';
    const what = { controller: 'me', action, attribute: 'email', status } as const;
    return this.#options.audit.record(actorOf(session, address), what);
  }
}

const actorOf = ({ _id: userId, email }: SessionClaims, address: string) => ({ userId, email, address });

const codeHashOf = (userId: string, code: string): string => hashOf(`${userId} ${code}`);
