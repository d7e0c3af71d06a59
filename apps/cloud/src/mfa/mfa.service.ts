import {
  ENROLMENT_MINUTES,
  type PendingClaims,
  type SessionClaims,
  type TokenHolder,
} from '@albedo/contract/sessions/sessions.schema';
import type { Actor } from '../access/actor.ts';
import type { Attempts } from '../attempts/attempts.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Mailer } from '../mail/mail.service.ts';
import { hashOf } from '../secrets/link-token.ts';
import { makeRecoveryCode } from '../secrets/recovery-code.ts';
import type { Seal } from '../secrets/sealed.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { TellList } from '../sockets/lists.ts';
import type { AccountAudit } from '../users/account-audit.ts';
import type { User, UsersStore } from '../users/users.store.ts';
import { type MfaChange, mfaMail } from './mfa.mails.ts';
import type { MfaStore, TotpRow } from './mfa.store.ts';
import { makeSecret, setupUri, stepOf } from './totp.ts';

/** Wrong codes of one user in a quarter of an hour. */
export const WRONG_CODES = 10;
const WRONG = { name: 'one-time code', limit: WRONG_CODES, windowMs: 15 * 60_000 };

export interface MfaOptions {
  store: MfaStore;
  sessions: Sessions;
  users: UsersStore;
  seal: Seal;
  attempts: Attempts;
  audit: Audit;
  accountAudit: AccountAudit;
  settings: Settings;
  mailer: Mailer;
  tell: TellList;
  publicUrl: () => string;
}

/**
 * Two-factor authentication with an authenticator app (TOTP).
 *
 * A code is good once: its time step is kept, and no code of that step or an older one is accepted again.
 */
export class Mfa {
  readonly #options: MfaOptions;

  constructor(options: MfaOptions) {
    this.#options = options;
  }

  /** A session token for the right code. Throws `mfa.code_invalid`, `mfa.locked`. */
  async enterCode(holder: TokenHolder, code: string, address: string): Promise<string> {
    const { store, sessions } = this.#options;
    const begunAt = Date.now();
    const actor = actorOf(holder, address);
    const user = await this.#user(holder);
    const fits = await this.#fits(user.id, await store.totp(user.id), code);
    await this.#record(actor, 'MFA login', fits);
    if (!fits) throw new AppError('mfa.code_invalid');
    await sessions.revoke(holder);
    return sessions.issue(user, { begunAt });
  }

  /** A code as a proof that the holder of the session is there. Throws `mfa.code_invalid`, `mfa.locked`. */
  async confirm(session: SessionClaims, code: string, address: string): Promise<void> {
    const fits = await this.#fits(session._id, await this.#options.store.totp(session._id), code);
    await this.#record(actorOf(session, address), 'MFA confirm', fits);
    if (!fits) throw new AppError('mfa.code_invalid');
  }

  /** An enrolment token for the recovery code, which ends with that. Throws `mfa.recovery_failed`. */
  async recover(holder: TokenHolder, recoveryCode: string, address: string): Promise<string> {
    const { store, sessions, attempts } = this.#options;
    const user = await this.#user(holder);
    await this.#take(user.id);
    const isRight = await store.recover(user.id, hashOf(recoveryCode.toUpperCase()));
    await this.#record(actorOf(holder, address), 'MFA recovery', isRight);
    if (!isRight) throw new AppError('mfa.recovery_failed');
    await attempts.forget([WRONG, user.id]);
    // Whoever has the lost phone is out too.
    await sessions.revokeUser(user.id);
    this.#tell(user, 'recovered');
    await nextMillisecond();
    return sessions.issuePending(user, 'setup', { isRecovering: true });
  }

  /**
   * A new secret, as an address for the QR code. Whoever has an authenticator app already hands over a code of it:
   * throws `mfa.code_invalid` otherwise.
   */
  async beginSetup(holder: TokenHolder, code: string | undefined, address: string): Promise<string> {
    const { store, seal } = this.#options;
    const user = await this.#user(holder);
    const row = await store.totp(user.id);
    if (row?.secret && !(code && (await this.#fits(user.id, row, code))))
      throw new AppError('mfa.code_invalid');
    const secret = makeSecret();
    await store.setPending(user.id, seal.close(secret, user.id), new Date());
    await this.#record(actorOf(holder, address), 'MFA setup', true);
    return setupUri(user.email, secret);
  }

  /** Throws `mfa.setup_expired` after 20 minutes or without a secret, and `mfa.code_invalid`. */
  async confirmSetup(
    holder: TokenHolder | PendingClaims,
    code: string,
    address: string,
  ): Promise<{ token: string; recoveryCode: string }> {
    const { store, seal, sessions, attempts } = this.#options;
    const begunAt = Date.now();
    const user = await this.#user(holder);
    await this.#take(user.id);
    const row = await store.totp(user.id);
    const pending = row?.pendingSecret ?? null;
    const isLate = Date.now() - (row?.pendingAt?.getTime() ?? 0) > ENROLMENT_MINUTES * 60_000;
    if (pending === null || isLate) throw new AppError('mfa.setup_expired');

    const step = await stepOf(code, seal.open(pending, user.id), null);
    const recoveryCode = makeRecoveryCode();
    const isDone = step !== null && (await store.confirm(user.id, pending, step, hashOf(recoveryCode)));
    await this.#record(actorOf(holder, address), 'MFA setup confirmed', isDone);
    if (!isDone) throw new AppError('mfa.code_invalid');
    await attempts.forget([WRONG, user.id]);
    if ('mfa' in holder) await sessions.revoke(holder);
    this.#tell(user, 'set up');
    return { token: await sessions.issue(user, { begunAt }), recoveryCode };
  }

  /** Throws `mfa.recovery_code_failed` for a wrong code, or without an authenticator app. */
  async renewRecoveryCode(session: SessionClaims, code: string, address: string): Promise<string> {
    const { store } = this.#options;
    const fits = await this.#fits(session._id, await store.totp(session._id), code);
    await this.#record(actorOf(session, address), 'MFA recovery code', fits);
    if (!fits) throw new AppError('mfa.recovery_code_failed');
    const recoveryCode = makeRecoveryCode();
    await store.setRecovery(session._id, hashOf(recoveryCode));
    return recoveryCode;
  }

  policy(workgroup: string): Promise<boolean> {
    return this.#options.store.policy(workgroup);
  }

  /** Sessions of members without a second factor end when one is demanded. */
  setPolicy(workgroup: string, required: boolean, actor: Actor): Promise<void> {
    return this.#options.store.alone(workgroup, () => this.#setPolicy(workgroup, required, actor));
  }

  async #setPolicy(workgroup: string, required: boolean, actor: Actor): Promise<void> {
    const { store, sessions, audit } = this.#options;
    const was = await store.policy(workgroup);
    if (was === required) return;
    await store.setPolicy(workgroup, required);
    // The policy stands with the list.
    this.#options.tell('members', workgroup);
    audit.record({
      workgroup,
      at: Date.now(),
      controller: 'workgroup',
      entity: workgroup,
      action: 'update',
      attribute: 'mfaRequired',
      oldValue: String(was),
      newValue: String(required),
      by: actor.email,
      address: actor.address,
    });
    if (!required) return;
    for (const userId of await store.membersWithout(workgroup)) await sessions.revokeUser(userId);
  }

  #tell(user: User, change: MfaChange): void {
    const { mailer, settings, publicUrl } = this.#options;
    mailer.send(async () => mfaMail(user, await settings.languageOf(user.id), change, publicUrl()));
  }

  async #user(holder: TokenHolder): Promise<User> {
    const user = await this.#options.users.user(holder._id);
    if (!user) throw new AppError('request.unauthorized');
    return user;
  }

  /** True for a code that is right and new. Throws `mfa.locked`. */
  async #fits(userId: string, row: TotpRow | undefined, code: string): Promise<boolean> {
    const { store, seal, attempts } = this.#options;
    await this.#take(userId);
    if (!row?.secret) return false;
    const step = await stepOf(code, seal.open(row.secret, userId), row.lastStep);
    const fits = step !== null && (await store.takeStep(userId, step));
    if (fits) await attempts.forget([WRONG, userId]);
    return fits;
  }

  /** Counts one more code. Throws `mfa.locked` after too many. */
  async #take(userId: string): Promise<void> {
    const waitMs = await this.#options.attempts.count([WRONG, userId]);
    if (waitMs === 0) return;
    const minutes = String(Math.ceil(waitMs / 60_000));
    throw new AppError('mfa.locked', { minutes, retryAfterS: waitMs / 1000 });
  }

  #record(actor: Actor, action: string, isDone: boolean): Promise<void> {
    const status = isDone ? 'success' : 'failed';
    return this.#options.accountAudit.record(actor, { controller: 'auth', action, status });
  }
}

const actorOf = ({ _id, email }: TokenHolder | PendingClaims, address: string): Actor => ({
  userId: _id,
  email,
  address,
});

/** Tokens made in the millisecond of a revocation are revoked by it. */
const nextMillisecond = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));
