import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PERMISSION_CODES, type Permission, type WorkgroupScope } from '@albedo/contract/access/permissions';
import { permission } from '@albedo/contract/access/permissions.schema';
import {
  type ConfirmFactor,
  ENROLMENT_MINUTES,
  LOGIN_TOKEN_MINUTES,
  type PendingClaims,
  SESSION_HOURS,
  type SessionClaims,
  type SessionInfo,
  type TokenHolder,
} from '@albedo/contract/sessions/sessions.schema';
import { transactionNow, whenHeld } from '@albedo/postgres/together';
import type { Attempt, Attempts } from '../attempts/attempts.ts';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import { networkOf } from '../http/client-network.ts';
import { passwordFits } from '../secrets/passwords.ts';
import { domainOf, isOpenedBy, type Membership, type User, type UsersStore } from '../users/users.store.ts';
import { EndedTokens } from './ended-tokens.ts';
import type { OpenSessions, Use } from './open-sessions.ts';
import { apiTokenUsed, type Revocation, sessionRevoked, signedIn, strangerTried } from './sessions.topics.ts';
import { isPending, type OpenedToken, Tokens } from './tokens.ts';

export type { SocketTickets } from './socket-tickets.ts';

/** Id that no user has. */
const NO_USER = '00000000-0000-0000-0000-000000000000';
const QUARTER_HOUR_MS = 15 * 60_000;
/**
 * Failed sign-ins allowed in a quarter of an hour: to one account from one client address (of IPv6: its /64), and from one
 * address to any. No number of failures from elsewhere closes an account: after `patience` of them the tries of all browsers
 * that it does not know take turns, and those whose turn does not come are refused unread.
 */
export const FAILED_SIGN_INS = { account: 10, address: 50, patience: 20 } as const;
const ACCOUNT = { name: 'sign-in account', limit: FAILED_SIGN_INS.account, windowMs: QUARTER_HOUR_MS };
const EVERYWHERE = { name: 'sign-in everywhere', limit: FAILED_SIGN_INS.patience, windowMs: QUARTER_HOUR_MS };
/** One try of an account in so long, from wherever it comes. */
const TURN = { name: 'sign-in turn', limit: 1, windowMs: 3000 };
/** What waiting for a turn takes, ms: at least, and at most before the try is refused. Browsers wait 10 s for an answer. */
const WAIT_MS = { least: 500, most: 6000 } as const;
const ADDRESS = { name: 'sign-in address', limit: FAILED_SIGN_INS.address, windowMs: QUARTER_HOUR_MS };
/** Of a browser that signed in to the account before. */
const BROWSER = { name: 'sign-in browser', limit: FAILED_SIGN_INS.account, windowMs: QUARTER_HOUR_MS };

/**
 * Sign-in and session tokens. Whether a token is good is decided in memory: its signature, its expiry, and the
 * revocations, which the database keeps for the next start.
 */
export class Sessions {
  readonly #users: UsersStore;
  readonly #tokens: Tokens;
  readonly #staffDomains: string[];
  readonly #addonManagers: string[];
  readonly #opened = new Map<string, OpenedToken>();
  readonly #ended = new EndedTokens();
  readonly #attempts: Attempts;
  readonly #bus: Bus;
  readonly #uses: OpenSessions;

  constructor(options: {
    users: UsersStore;
    attempts: Attempts;
    signingKey: string;
    staffDomains: string[];
    addonManagers: string[];
    bus: Bus;
    uses: OpenSessions;
  }) {
    this.#users = options.users;
    this.#bus = options.bus;
    this.#uses = options.uses;
    this.#attempts = options.attempts;
    this.#tokens = new Tokens(options.signingKey);
    this.#staffDomains = options.staffDomains;
    this.#addonManagers = options.addonManagers;
  }

  async start(): Promise<void> {
    await this.#uses.start();
    for (const [jti, expiresAt] of await this.#users.revoked(new Date()))
      this.apply({ kind: 'token', jti, expiresAt });
    for (const one of await this.#uses.confirmed()) this.#ended.apply({ kind: 'older', ...one }, 0);
    for (const valid of await this.#users.validFrom()) this.apply({ kind: 'user', ...valid });
  }

  /** A proven holder of the account starts over, however often the password was wrong before. */
  async forgetFailures(email: string, address: string, browser: string | null): Promise<void> {
    const ofBrowser: Attempt[] = browser === null ? [] : [[BROWSER, browser]];
    const ofNetwork: Attempt = [ACCOUNT, `${email} ${networkOf(address)}`];
    await this.#attempts.forget(ofNetwork, [EVERYWHERE, email], ...ofBrowser);
  }

  /**
   * A token for the right password: a session token, or a login or enrolment token where a second factor is needed or
   * missing. Throws `session.bad_credentials`, `session.use_sso` for any password of somebody whom none opens anything
   * (`signsInElsewhere`), and `request.too_many` after too many failures of the account or the address. A known browser,
   * one that signed in to the account before, has a number of its own, and so has each address. Guesses from many addresses
   * take turns, in which whoever knows the password has one too: what strangers do locks nobody out.
   */
  async login(
    email: string,
    password: string,
    address: string,
    browser: string | null = null,
  ): Promise<string> {
    const begunAt = Date.now();
    const network = networkOf(address);
    const one: Attempt = browser === null ? [ACCOUNT, `${email} ${network}`] : [BROWSER, browser];
    const client: Attempt[] = browser === null ? [[ADDRESS, network]] : [];
    const tried: Attempt = [EVERYWHERE, email];
    if (browser === null && (await this.#attempts.count(tried)) > 0) await this.#turn(email);
    const [user] = await Promise.all([this.#users.userByEmail(email), this.#attempts.take(one, ...client)]);
    // Looked up for everybody beside the work of the password, so that the time of a refusal tells nothing.
    const [fits, memberships] = await Promise.all([
      passwordFits(password, user?.passwordHash ?? null),
      this.#users.memberships(user?.id ?? NO_USER),
    ]);
    const giveBack = () => Promise.all(client.map((attempt) => this.#attempts.giveBack(attempt)));
    // The look-up of identity providers tells the same of the address, and nothing of any other account.
    if (isElsewhere(memberships)) {
      await giveBack();
      throw new AppError('session.use_sso');
    }
    if (!user || !fits) {
      if (user) await this.#bus.publish(signedIn, { user, address, isRight: false, needsCode: false });
      else await this.#bus.publish(strangerTried, { email, address });
      throw new AppError('session.bad_credentials');
    }
    if (user.passwordUntil && user.passwordUntil.getTime() <= Date.now()) {
      await giveBack();
      await this.#bus.publish(signedIn, { user, address, isRight: false, needsCode: false });
      throw new AppError('session.password_over');
    }
    const [{ factors, isRequired }] = await Promise.all([
      this.#users.secondFactor(user.id),
      this.#attempts.forget(one, tried),
      giveBack(),
    ]);
    const needsCode = factors.length > 0;
    await this.#bus.publish(signedIn, { user, address, isRight: true, needsCode });
    if (needsCode) return this.issuePending(user, 'code', { factors, begunAt });
    return isRequired ? this.issuePending(user, 'setup', { begunAt }) : this.issue(user, { begunAt });
  }

  /** Waits for a turn, which comes to any of those that wait. Throws `request.too_many` where it does not come in time. */
  async #turn(email: string): Promise<void> {
    const until = Date.now() + WAIT_MS.most;
    for (let waitMs = 0; ; ) {
      await sleep(waitMs + randomInt(WAIT_MS.least));
      waitMs = await this.#attempts.count([TURN, email]);
      if (waitMs === 0) return;
      if (Date.now() + waitMs > until) throw new AppError('request.too_many', { retryAfterS: waitMs / 1000 });
    }
  }

  /**
   * True for somebody whom a password opens nothing, because identity providers open all his workgroups. Every place that
   * speaks of his password says so, and none asks him for it.
   */
  async signsInElsewhere(userId: string): Promise<boolean> {
    return isElsewhere(await this.#users.memberships(userId));
  }

  /**
   * A session token of the user as they are now; `idpId` names the identity provider that signed them in. It counts as
   * made at `begunAt`, epoch ms, when the proof for it was begun to be looked at: what revoked the sessions of the user
   * since then, as a new password does, revokes this one too. `confirmedAt` is as in the claims, by default now; null
   * where the new session proves nothing.
   */
  async issue(
    user: User,
    of: { idpId?: string; begunAt?: number; confirmedAt?: number | null } = {},
  ): Promise<string> {
    const iat = Math.floor(Date.now() / 1000);
    const { idpId = null, begunAt = Date.now(), confirmedAt = iat } = of;
    const made = { iat, exp: iat + SESSION_HOURS * 3600, jti: randomUUID() };
    const token = confirmedAt === null ? made : { ...made, confirmedAt };
    const [claims] = await Promise.all([
      this.#claims(user, token, idpId),
      this.#users.setLastSignIn(user.id, new Date()),
    ]);
    return this.#tokens.sign(claims, begunAt);
  }

  /**
   * A token of the same session that says what the user is now. It ends when the session does, and counts as made when
   * the session began: what revoked the session, even a moment ago, revokes this one too.
   */
  async renew(
    session: SessionClaims,
    confirmed: Pick<SessionClaims, 'confirmedAt' | 'confirmedWith'> = {},
  ): Promise<string> {
    const opened = [...this.#opened.values()].find(({ claims }) => claims.jti === session.jti);
    const claims = await this.me(session);
    return this.#tokens.sign({ ...claims, ...confirmed }, opened?.madeAt ?? session.iat * 1000);
  }

  /**
   * A fresh token of the same session, whose holder confirmed at `confirmedAt`, epoch seconds, and with what, that it is them. The tokens
   * of before end, but for calls that are under way.
   */
  async confirm(session: SessionClaims, confirmedAt: number, confirmedWith: ConfirmFactor): Promise<string> {
    const token = await this.renew(session, { confirmedAt, confirmedWith });
    if (confirmedAt <= (session.confirmedAt ?? 0)) return token;
    const newest = { kind: 'older', jti: session.jti, confirmedAt, expiresAt: session.exp * 1000 } as const;
    this.apply(newest);
    await this.#bus.publish(sessionRevoked, newest);
    await this.#uses.confirm(session.jti, confirmedAt);
    return token;
  }

  /** Signs the claims of an API token. */
  issueApiToken(claims: Omit<SessionClaims, 'iat' | 'jti' | 'staff' | 'apiToken'>): Promise<string> {
    const now = Date.now();
    const made = { iat: Math.floor(now / 1000), jti: randomUUID(), staff: false, apiToken: true } as const;
    return this.#tokens.sign({ ...claims, ...made }, now);
  }

  /**
   * A token that is good only for the second factor: `code` to enter a one-time code, `setup` to set one up within
   * 20 minutes.
   */
  async issuePending(
    user: User,
    mfa: PendingClaims['mfa'],
    of: Partial<Pick<PendingClaims, 'factors' | 'isRecovering'> & { begunAt: number }> = {},
  ): Promise<string> {
    const iat = Math.floor(Date.now() / 1000);
    const minutes = mfa === 'code' ? LOGIN_TOKEN_MINUTES : ENROLMENT_MINUTES;
    const { id: _id, name, email } = user;
    const token = { iat, exp: iat + minutes * 60, jti: randomUUID() };
    const { factors = [], isRecovering = false, begunAt = Date.now() } = of;
    return this.#tokens.sign({ _id, name, email, ...token, mfa, isRecovering, factors }, begunAt);
  }

  /** Claims of a good session token. Throws `request.unauthorized`, also for a token that is no session yet. */
  async verify(token: string): Promise<SessionClaims> {
    const claims = await this.#good(token);
    if (isPending(claims)) throw new AppError('request.unauthorized');
    if (claims.apiToken) void this.#bus.publish(apiTokenUsed, claims._id);
    return claims;
  }

  /** Takes down that the session is used. Throws `session.idle`, and ends it, where it was left alone for too long. */
  async use(session: SessionClaims, use: Use): Promise<void> {
    if (session.apiToken || (await this.#uses.use(session, use))) return;
    await this.revoke(session);
    throw new AppError('session.idle');
  }

  /** The sessions of the user, the latest used first. */
  async list(session: SessionClaims): Promise<SessionInfo[]> {
    const rows = await this.#uses.ofUser(session._id);
    return rows
      .filter((row) => !this.#ended.hasSession(row, session._id))
      .map(({ jti, address, agent, createdAt, seenAt, expiresAt }) => ({
        id: jti,
        isOwn: jti === session.jti,
        address,
        agent,
        createdAt: createdAt.getTime(),
        seenAt: seenAt.getTime(),
        expiresAt: expiresAt.getTime(),
      }));
  }

  /** Ends one session of the same user. Throws `session.unknown`. */
  async end(session: SessionClaims, id: string): Promise<void> {
    const row = (await this.#uses.ofUser(session._id)).find(({ jti }) => jti === id);
    if (!row) throw new AppError('session.unknown');
    const { _id, name, email, iat } = session;
    await this.revoke({ _id, name, email, iat, jti: id, exp: Math.ceil(row.expiresAt.getTime() / 1000) });
  }

  /** Minutes after which the session ends when nobody uses it; null where it does not. */
  idleLimit(session: SessionClaims): number | null {
    return this.#uses.limitOf(session);
  }

  /** Claims of a good login or enrolment token. Throws `request.unauthorized`, also for a session token. */
  async verifyPending(token: string, mfa: PendingClaims['mfa']): Promise<PendingClaims> {
    const claims = await this.#good(token);
    if (!isPending(claims) || claims.mfa !== mfa) throw new AppError('request.unauthorized');
    return claims;
  }

  /** The bearer of a session token or of an enrolment token. Throws `request.unauthorized`. */
  async verifyEnrolling(token: string): Promise<SessionClaims | PendingClaims> {
    const claims = await this.#good(token);
    const isOther = isPending(claims) ? claims.mfa !== 'setup' : claims.apiToken === true;
    if (isOther) throw new AppError('request.unauthorized');
    return claims;
  }

  async #good(token: string): Promise<SessionClaims | PendingClaims> {
    const opened = this.#opened.get(token) ?? (await this.#open(token));
    const { claims, madeAt } = opened;
    if (claims.exp * 1000 <= Date.now() || this.#ended.has(claims, madeAt)) {
      this.#opened.delete(token);
      throw new AppError('request.unauthorized');
    }
    return claims;
  }

  /** The holder of the token as the database has them now. Throws `request.unauthorized` when they are gone. */
  async me(session: SessionClaims): Promise<SessionClaims> {
    const user = await this.#users.user(session._id);
    if (!user) throw new AppError('request.unauthorized');
    return this.#claims(user, session, session.idpId ?? null);
  }

  /** What a user may do in a workgroup at this moment, however they sign in; null where they are no member. */
  async scopeNow(userId: string, workgroup: string): Promise<WorkgroupScope | null> {
    const memberships = await this.#users.memberships(userId);
    const membership = memberships.find((one) => one.workgroup === workgroup);
    return membership ? scopeOf(membership) : null;
  }

  /** From now on the token is not good. */
  async revoke(session: TokenHolder): Promise<void> {
    const revocation = { kind: 'token', jti: session.jti, expiresAt: session.exp * 1000 } as const;
    this.apply(revocation);
    await this.#bus.publish(sessionRevoked, revocation);
    await this.#users.revoke(session.jti, new Date(session.exp * 1000));
    await this.#uses.forget([session.jti]);
  }

  /**
   * From now on no token of the user that exists is good, but for the session that is spared. Inside a transaction that
   * spans features it is kept with all else, and holds for tokens that were made until that ended.
   */
  async revokeUser(userId: string, spared: string | null = null): Promise<void> {
    const revoke = async () => {
      const revocation = { kind: 'user', userId, from: Date.now() + 1, spared } as const;
      this.apply(revocation);
      await this.#bus.publish(sessionRevoked, revocation);
      await this.#users.setValidFrom(userId, new Date(revocation.from), spared);
    };
    if (transactionNow()) await this.#users.setValidFrom(userId, new Date(Date.now() + 1), spared);
    await whenHeld(revoke);
  }

  /** Takes over a revocation, of this process or of another. */
  apply(revocation: Revocation): void {
    this.#ended.apply(revocation);
  }

  async #open(token: string): Promise<OpenedToken> {
    const opened = await this.#tokens.open(token);
    if (!opened) throw new AppError('request.unauthorized');
    // Signatures are checked once; the map is small and simply starts over when it is full.
    if (this.#opened.size >= 2000) this.#opened.clear();
    const { claims, madeAt } = opened;
    const known = isPending(claims) ? opened : { claims: this.#withoutOldStaff(claims), madeAt };
    this.#opened.set(token, known);
    return known;
  }

  /** What a token says of the staff is good as long as the configuration says so too. */
  #withoutOldStaff(claims: SessionClaims): SessionClaims {
    const isStaff = claims.staff && this.#staffDomains.includes(domainOf(claims.email));
    const isManager = isStaff && claims.addonManager === true && this.#addonManagers.includes(claims.email);
    const { addonManager: _, ...rest } = claims;
    return { ...rest, staff: isStaff, ...(isManager ? { addonManager: true } : {}) };
  }

  async #claims(
    user: User,
    token: Pick<SessionClaims, 'iat' | 'exp' | 'jti' | 'confirmedAt' | 'confirmedWith'>,
    idpId: string | null,
  ): Promise<SessionClaims> {
    const memberships = (await this.#users.memberships(user.id)).filter((one) => isOpenedBy(idpId, one));
    const memberOf = memberships.map((one) => one.workgroup);
    // Staff is who proved the password of an address of the provider, never whom a customer's directory calls so.
    const isStaff = idpId === null && this.#staffDomains.includes(domainOf(user.email));
    return {
      _id: user.id,
      name: user.name,
      email: user.email,
      iat: token.iat,
      exp: token.exp,
      jti: token.jti,
      ...(token.confirmedAt === undefined ? {} : { confirmedAt: token.confirmedAt }),
      ...(token.confirmedWith === undefined ? {} : { confirmedWith: token.confirmedWith }),
      defaultWorkgroup:
        user.defaultWorkgroup && memberOf.includes(user.defaultWorkgroup)
          ? user.defaultWorkgroup
          : (memberOf[0] ?? null),
      memberOf,
      scopes: Object.fromEntries(memberships.map((one) => [one.workgroup, scopeOf(one)])),
      staff: isStaff,
      ...(idpId === null ? {} : { idpId }),
      ...(isStaff && this.#addonManagers.includes(user.email) ? { addonManager: true } : {}),
    };
  }
}

const isElsewhere = (memberships: Membership[]): boolean =>
  memberships.length > 0 && !memberships.some((one) => isOpenedBy(null, one));

function scopeOf(membership: Membership): WorkgroupScope {
  const { role, devGroup, deviceScopes } = membership;
  const all = permission.options.filter((one) => one !== 'dashboardOnly');
  const permissions: Permission[] = role === 'owner' ? all : membership.permissions;
  return {
    role,
    permissions,
    ps: permissions.map((one) => PERMISSION_CODES[one]).join(' '),
    devGroup,
    scopes: { device: deviceScopes },
  };
}
