import {
  PASSKEY_CHALLENGE_MINUTES,
  PASSKEYS_MAX,
  type Passkey,
  type PasskeyAnswer,
  type PasskeyRegistration,
} from '@albedo/contract/passkeys/passkeys.schema';
import { PRODUCT_NAME } from '@albedo/contract/product';
import type { SessionClaims, TokenHolder } from '@albedo/contract/sessions/sessions.schema';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Actor } from '../access/actor.ts';
import type { Accounts } from '../accounts/accounts.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Mailer } from '../mail/mail.service.ts';
import { hashOf } from '../secrets/link-token.ts';
import { makeRecoveryCode } from '../secrets/recovery-code.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { AccountAudit } from '../users/account-audit.ts';
import type { User, UsersStore } from '../users/users.store.ts';
import { passkeyMail } from './passkeys.mails.ts';
import type { Challenge, PasskeyRow, PasskeysStore } from './passkeys.store.ts';
import { relyingPartyOf } from './relying-party.ts';

/** Read with the first passkey. */
const webauthn = () => import('@simplewebauthn/server');

export interface PasskeysOptions {
  store: PasskeysStore;
  sessions: Sessions;
  users: UsersStore;
  accounts: Accounts;
  settings: Settings;
  mailer: Mailer;
  audit: AccountAudit;
  publicUrl: () => string;
}

type Purpose = Challenge['purpose'];

/**
 * Passkeys (WebAuthn) as a second factor beside the authenticator app.
 *
 * Every question to an authenticator is kept in the database for five minutes and used up by the first answer, right or
 * wrong; it counts for one user, one purpose and the token that asked. An authenticator whose counter does not grow
 * has a copy somewhere and is refused.
 */
export class Passkeys {
  readonly #options: PasskeysOptions;

  constructor(options: PasskeysOptions) {
    this.#options = options;
  }

  async list(session: SessionClaims): Promise<Passkey[]> {
    return (await this.#options.store.list(session._id)).map(toPasskey);
  }

  /** Options for a new passkey. Throws what `Accounts.demandPassword` throws, and `passkey.too_many`. */
  async begin(session: SessionClaims, password: string, address: string) {
    const { store, accounts } = this.#options;
    const user = await this.#user(session);
    await accounts.demandPassword(user, password, () =>
      this.#record(actorOf(session, address), { action: 'Add passkey', status: 'failed' }),
    );
    const known = await store.list(user.id);
    if (known.length >= PASSKEYS_MAX) throw new AppError('passkey.too_many', { count: PASSKEYS_MAX });
    const options = await (await webauthn()).generateRegistrationOptions({
      rpName: PRODUCT_NAME,
      rpID: this.#relyingParty().id,
      userName: user.email,
      userDisplayName: user.name,
      userID: new TextEncoder().encode(user.id),
      attestationType: 'none',
      excludeCredentials: known.map(descriptorOf),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      timeout: PASSKEY_CHALLENGE_MINUTES * 60_000,
    });
    await this.#keep(session, 'register', options.challenge);
    return { ...options };
  }

  /** Throws `passkey.refused`, `passkey.known`, `passkey.too_many`. */
  async add(session: SessionClaims, { name, response }: PasskeyRegistration, address: string) {
    const { store } = this.#options;
    const actor = actorOf(session, address);
    const user = await this.#user(session);
    const { id: expectedRPID, origins } = this.#relyingParty();
    const info = await (await webauthn())
      .verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge: (challenge) => this.#take(session, 'register', challenge),
        expectedOrigin: origins,
        expectedRPID,
        requireUserVerification: false,
      })
      .then(({ registrationInfo }) => registrationInfo, notVerified);
    if (!info) {
      await this.#record(actor, { action: 'Add passkey', status: 'failed' });
      throw new AppError('passkey.refused');
    }
    const { id: credentialId, publicKey, counter, transports = [] } = info.credential;
    const recoveryCode = makeRecoveryCode();
    const passkey = {
      userId: user.id,
      name,
      credentialId,
      publicKey,
      counter,
      transports,
      isSynced: info.credentialBackedUp,
    };
    const added = await store.add(passkey, hashOf(recoveryCode), PASSKEYS_MAX);
    if (!added) throw await this.#notAdded(user.id);
    await this.#record(actor, { action: 'Add passkey', newValue: name });
    this.#tell(user, name, true);
    return { passkey: toPasskey(added.row), recoveryCode: added.isFirst ? recoveryCode : null };
  }

  /** Throws `passkey.not_found`. */
  async rename(session: SessionClaims, id: string, name: string, address: string): Promise<Passkey> {
    const renamed = await this.#options.store.rename(session._id, id, name);
    if (!renamed) throw new AppError('passkey.not_found');
    const { row, old } = renamed;
    await this.#record(actorOf(session, address), {
      action: 'Rename passkey',
      oldValue: old,
      newValue: name,
    });
    return toPasskey(row);
  }

  /** Throws `passkey.not_found`, `passkey.last_factor`. */
  async remove(session: SessionClaims, id: string, address: string): Promise<void> {
    const { store, users } = this.#options;
    const user = await this.#user(session);
    const { isRequired } = await users.secondFactor(user.id);
    const removed = await store.remove(user.id, id, isRequired);
    if (removed === 'last') throw new AppError('passkey.last_factor');
    if (!removed) throw new AppError('passkey.not_found');
    await this.#record(actorOf(session, address), { action: 'Remove passkey', oldValue: removed.name });
    this.#tell(user, removed.name, false);
  }

  /** Options to answer with a passkey of the user. Throws `passkey.not_found` where there is none. */
  async ask(holder: TokenHolder, purpose: Exclude<Purpose, 'register'>) {
    const known = await this.#options.store.list(holder._id);
    if (known.length === 0) throw new AppError('passkey.not_found');
    const options = await (await webauthn()).generateAuthenticationOptions({
      rpID: this.#relyingParty().id,
      allowCredentials: known.map(descriptorOf),
      userVerification: 'preferred',
      timeout: PASSKEY_CHALLENGE_MINUTES * 60_000,
    });
    await this.#keep(holder, purpose, options.challenge);
    return { ...options };
  }

  /** A session token for the answer of a passkey. Throws `passkey.refused`. */
  async signIn(holder: TokenHolder, answer: PasskeyAnswer, address: string): Promise<string> {
    const { sessions } = this.#options;
    const begunAt = Date.now();
    const user = await this.#user(holder);
    await this.#demand(holder, 'sign-in', answer, address, 'Passkey login');
    await sessions.revoke(holder);
    return sessions.issue(user, { begunAt });
  }

  /** A passkey as a proof that the holder of the session is there. Throws `passkey.refused`. */
  confirm(session: SessionClaims, answer: PasskeyAnswer, address: string): Promise<void> {
    return this.#demand(session, 'confirm', answer, address, 'Passkey confirm');
  }

  /** Throws `passkey.refused`. */
  async renewRecoveryCode(session: SessionClaims, answer: PasskeyAnswer, address: string): Promise<string> {
    await this.#demand(session, 'recovery', answer, address, 'MFA recovery code');
    const recoveryCode = makeRecoveryCode();
    await this.#options.store.setRecovery(session._id, hashOf(recoveryCode));
    return recoveryCode;
  }

  /** Throws `passkey.refused` unless a passkey of the holder gave the answer. Writes it into the audit log. */
  async #demand(
    holder: TokenHolder,
    purpose: Purpose,
    { response }: PasskeyAnswer,
    address: string,
    action: string,
  ): Promise<void> {
    const { store } = this.#options;
    const actor = actorOf(holder, address);
    const known = await store.byCredential(holder._id, response.id);
    const info = known ? await this.#verify(holder, purpose, known, response) : undefined;
    const isUsed =
      known && info && (await store.use(holder._id, known.id, info.newCounter, info.credentialBackedUp));
    if (info && !isUsed)
      await this.#record(actor, { action: 'Passkey copied', newValue: known?.name ?? '', status: 'failed' });
    await this.#record(actor, { action, status: isUsed ? 'success' : 'failed' });
    if (!isUsed) throw new AppError('passkey.refused');
  }

  async #verify(
    holder: TokenHolder,
    purpose: Purpose,
    known: PasskeyRow,
    response: PasskeyAnswer['response'],
  ) {
    const { id: expectedRPID, origins } = this.#relyingParty();
    const { verifyAuthenticationResponse } = await webauthn();
    return verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => this.#take(holder, purpose, challenge),
      expectedOrigin: origins,
      expectedRPID,
      requireUserVerification: false,
      // The counter is compared where it is kept, so that two answers at once cannot both pass.
      credential: { id: known.credentialId, publicKey: known.publicKey, counter: 0 },
    }).then(({ verified, authenticationInfo }) => (verified ? authenticationInfo : undefined), notVerified);
  }

  async #keep({ _id: userId, jti }: TokenHolder, purpose: Purpose, challenge: string): Promise<void> {
    const expiresAt = new Date(Date.now() + PASSKEY_CHALLENGE_MINUTES * 60_000);
    await this.#options.store.keepChallenge({ challenge, userId, jti, purpose, expiresAt });
  }

  #take({ _id: userId, jti }: TokenHolder, purpose: Purpose, challenge: string): Promise<boolean> {
    return this.#options.store.takeChallenge({ challenge, userId, jti, purpose }, new Date());
  }

  async #notAdded(userId: string): Promise<AppError> {
    const isFull = (await this.#options.store.list(userId)).length >= PASSKEYS_MAX;
    return isFull ? new AppError('passkey.too_many', { count: PASSKEYS_MAX }) : new AppError('passkey.known');
  }

  async #user(holder: TokenHolder): Promise<User> {
    const user = await this.#options.users.user(holder._id);
    if (!user) throw new AppError('request.unauthorized');
    return user;
  }

  #tell(user: User, passkey: string, isAdded: boolean): void {
    const { mailer, settings, publicUrl } = this.#options;
    mailer.send(async () => {
      const language = await settings.languageOf(user.id);
      return passkeyMail(user, language, { passkey, isAdded }, publicUrl());
    });
  }

  #record(
    actor: Actor,
    what: { action: string; oldValue?: string; newValue?: string; status?: 'success' | 'failed' },
  ): Promise<void> {
    const status = what.status ?? 'success';
    return this.#options.audit.record(actor, { controller: 'auth', attribute: 'passkey', ...what, status });
  }

  #relyingParty() {
    return relyingPartyOf(this.#options.publicUrl());
  }
}

const actorOf = ({ _id, email }: TokenHolder, address: string): Actor => ({ userId: _id, email, address });

const descriptorOf = ({ credentialId, transports }: PasskeyRow) => ({ id: credentialId, transports });

/** Whatever is wrong with an answer, the person can only try again. */
const notVerified = (): undefined => undefined;

const toPasskey = (row: PasskeyRow): Passkey => ({
  _id: row.id,
  name: row.name,
  createdAt: row.createdAt.getTime(),
  lastUsedAt: row.lastUsedAt?.getTime() ?? null,
  isSynced: row.isSynced,
});
