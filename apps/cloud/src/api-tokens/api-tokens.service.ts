import { mayRunCommands, type WorkgroupScope } from '@albedo/contract/access/permissions';
import {
  type ApiToken,
  CONFIGURING,
  type NewApiToken,
  TOKEN_LIVES,
  type TokenLife,
} from '@albedo/contract/api-tokens/api-tokens.schema';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import type { Logger } from 'pino';
import { z } from 'zod';
import { demandGroups, demandMayGrant, withRead } from '../access/granting.ts';
import type { Manager } from '../access/manager.ts';
import { scopeOfToken } from '../access/token-scope.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import { AppError } from '../errors/app-error.ts';
import { defineJob } from '../jobs/job.ts';
import type { Mail, Mailer } from '../mail/mail.service.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { TellList } from '../sockets/lists.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { expiryMail, type Reader, revokedMail } from './api-tokens.mails.ts';
import type { ApiTokenRow, ApiTokensStore } from './api-tokens.store.ts';
import { lostBecause } from './backing.ts';
import { dueWarnings } from './expiry.ts';

const MINUTE_MS = 60_000;

export interface ApiTokensOptions {
  store: ApiTokensStore;
  sessions: Sessions;
  workgroups: Pick<Workgroups, 'get'>;
  deviceGroups: Pick<DeviceGroups, 'demand' | 'nameOf'>;
  settings: Pick<Settings, 'languageOf' | 'languageOfAddress'>;
  mailer: Mailer;
  audit: Audit;
  tell: TellList;
  publicUrl: () => string;
  log: Logger;
}

/**
 * API tokens: signed like sessions, for one workgroup, without a user.
 *
 * A renewal keeps the token's id, so that a revocation ends all that was ever signed for it. A token lives on the rights
 * of who made it: when he leaves the workgroup or could not make it any more, it ends.
 */
export class ApiTokens {
  readonly #options: ApiTokensOptions;
  readonly #usedAt = new Map<string, number>();

  /** Looks for tokens that end soon, or have nobody behind them any more. */
  readonly look = defineJob({
    name: 'api-tokens-look',
    payload: z.object({}),
    limitS: 600,
    retry: { times: 2, afterS: 30, atMostS: 120 },
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { cron: '*/15 * * * *', zone: 'UTC', payload: {} },
    run: async () => {
      await this.endUnbacked();
      await this.warn();
    },
  });

  constructor(options: ApiTokensOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { store, sessions } = this.#options;
    for (const id of await store.revoked(new Date())) {
      sessions.apply({ kind: 'user', userId: id, from: Number.POSITIVE_INFINITY, spared: null });
    }
  }

  /**
   * Mails the warnings that are due: 14, 7 and 1 days before a token ends, each once over all processes. After a time
   * without any process only the latest that was missed is sent.
   */
  async warn(now = new Date()): Promise<void> {
    const { store } = this.#options;
    for (const row of await store.endingBefore(now, dueWarnings.horizon(now))) {
      const due = dueWarnings.of(row, now);
      const [latest] = due;
      // All of them are claimed, so that the earlier ones do not follow the latest.
      const claimed = await store.claimWarnings(row, due);
      if (latest === undefined || !claimed.includes(latest)) continue;
      this.#mail(row, (to) => expiryMail(row, to, now));
    }
  }

  /** Ends the tokens whose maker left, or could not make them any more; of one maker, or all. */
  async endUnbacked(of?: { workgroup: string; makerId: string }): Promise<void> {
    const { store, sessions } = this.#options;
    for (const { token, maker } of await store.withMakers(new Date(), of)) {
      const because = lostBecause(token, maker);
      if (because === null) continue;
      const row = await store.revoke(token.workgroup, token.id, new Date(), because);
      if (!row) continue;
      await sessions.revokeUser(row.id);
      this.#tellLists(row);
      const how = { action: 'revoke', attribute: 'reason', newValue: because };
      this.#record(row, { email: null }, how);
      this.#mail(row, (to) => revokedMail(row, to));
    }
  }

  async list(workgroup: string): Promise<ApiToken[]> {
    return (await this.#options.store.list(workgroup)).map(toApiToken);
  }

  /** Whether a person made one of these, revoked ones among them; by their address only where nothing else was kept. */
  async madeOneOf(
    workgroup: string,
    ids: readonly string[],
    { userId, email }: Pick<Manager, 'userId' | 'email'>,
  ): Promise<boolean> {
    const rows = await this.#options.store.list(workgroup);
    return rows.some(
      ({ id, createdById, createdBy }) =>
        ids.includes(id) && (createdById === null ? createdBy === email : createdById === userId),
    );
  }

  /** Throws what `demandMayGrant` throws, `api_token.owners_only`, `device_group.not_found`, `api_token.own_group`, `api_token.too_many`. */
  async create(workgroup: string, wanted: NewApiToken, by: Manager): Promise<ApiToken & { token: string }> {
    const { deviceGroups } = this.#options;
    const permissions = withRead(wanted.permissions);
    demandMayGrant(by.scope, null, { role: 'readonly', permissions });
    if (permissions.includes(CONFIGURING) && by.scope.role !== 'owner')
      throw new AppError('api_token.owners_only');
    demandCommands(by.scope, scopeOfToken({ permissions, devGroup: wanted.devGroup }));
    if (by.scope.devGroup !== null && wanted.devGroup !== by.scope.devGroup) {
      throw new AppError('api_token.own_group');
    }
    deviceGroups.demand(workgroup, wanted.devGroup);
    const createdAt = new Date();
    const { apiTokens: count } = WORKGROUP_LIMITS;
    if ((await this.#options.store.countLive(workgroup, createdAt)) >= count)
      throw new AppError('api_token.too_many', { count });
    const row = await this.#options.store.add({
      ...wanted,
      workgroup,
      permissions,
      createdBy: by.email,
      createdById: by.userId,
      createdAt,
      expiresAt: endOf(wanted.expiry, createdAt),
    });
    this.#tellLists(row);
    const group =
      row.devGroup === null ? '' : `, device group ${deviceGroups.nameOf(workgroup, row.devGroup)}`;
    const newValue = `${row.email}, ${row.expiry}: ${permissions.join(', ')}${group}`;
    this.#record(row, by, { action: 'create', newValue });
    return { ...toApiToken(row), token: await this.#sign(row) };
  }

  /**
   * Throws `api_token.not_found`, `api_token.not_renewable` for one that changes the configuration, and
   * `device_group.bound` for a token outside the device group of a bound manager.
   */
  async setCanRenew(workgroup: string, id: string, canRenew: boolean, by: Manager): Promise<ApiToken> {
    const { store } = this.#options;
    const before = await this.#managed(workgroup, id, by);
    if (canRenew && before.permissions.includes(CONFIGURING)) throw new AppError('api_token.not_renewable');
    const row = await store.setCanRenew(workgroup, id, canRenew);
    if (!row) throw new AppError('api_token.not_found');
    this.#tellLists(row);
    const oldValue = String(before.canRenew);
    this.#record(row, by, { action: 'update', attribute: 'canRenew', oldValue, newValue: String(canRenew) });
    return toApiToken(row);
  }

  /** Throws as `setCanRenew`; a token that is revoked already is not found. */
  async revoke(workgroup: string, id: string, by: Manager): Promise<ApiToken> {
    const { store, sessions } = this.#options;
    await this.#managed(workgroup, id, by);
    const row = await store.revoke(workgroup, id, new Date());
    if (!row) throw new AppError('api_token.not_found');
    await sessions.revokeUser(id);
    this.#tellLists(row);
    this.#record(row, by, { action: 'revoke' });
    return toApiToken(row);
  }

  /** Throws `api_token.not_found`, also for a token that is good no more. */
  async live(workgroup: string, id: string): Promise<ApiTokenRow> {
    const row = await this.#options.store.find(workgroup, id);
    if (!row || row.revokedAt || row.expiresAt.getTime() <= Date.now())
      throw new AppError('api_token.not_found');
    return row;
  }

  /** The token, as those may change it who manage the people of its device group. */
  async #managed(workgroup: string, id: string, by: Manager): Promise<ApiTokenRow> {
    const row = await this.#options.store.find(workgroup, id);
    if (!row) throw new AppError('api_token.not_found');
    demandGroups(by.scope, { role: 'readonly', devGroup: row.devGroup }, null);
    return row;
  }

  /** A token with a later expiry. Throws `api_token.not_renewable`. */
  async renew(claims: SessionClaims, address: string): Promise<string> {
    const [workgroup = ''] = claims.memberOf;
    const { store } = this.#options;
    const known = await store.find(workgroup, claims._id);
    const row = known && (await store.renew(workgroup, known.id, endOf(known.expiry, new Date())));
    if (!row) throw new AppError('api_token.not_renewable');
    this.#tellLists(row);
    this.#record(row, { email: claims.email, address }, { action: 'renew' });
    return this.#sign(row);
  }

  /** Groups count the tokens that are bound to them. */
  #tellLists({ workgroup, devGroup }: ApiTokenRow): void {
    const { tell } = this.#options;
    tell('api-tokens', workgroup);
    if (devGroup !== null) tell('device-groups', workgroup, [devGroup]);
  }

  #sign(row: ApiTokenRow): Promise<string> {
    const { id, workgroup, owner, email, expiresAt } = row;
    return this.#options.sessions.issueApiToken({
      _id: id,
      name: owner,
      // So that the audit log tells it from the user of that address.
      email: `api-token:${email}`,
      exp: Math.floor(expiresAt.getTime() / 1000),
      defaultWorkgroup: workgroup,
      memberOf: [workgroup],
      scopes: { [workgroup]: scopeOfToken(row) },
    });
  }

  /** In the language of who made the token: who was given it need not have an account. */
  #mail(row: ApiTokenRow, write: (to: Reader) => Mail): void {
    const { mailer, settings, workgroups, publicUrl } = this.#options;
    const { createdBy, createdById } = row;
    mailer.send(async () => {
      const language = await (createdById === null
        ? settings.languageOfAddress(createdBy)
        : settings.languageOf(createdById));
      const { displayName } = await workgroups.get(row.workgroup);
      const mail = write({ language, workgroup: displayName, publicUrl: publicUrl() });
      return { ...mail, workgroup: row.workgroup };
    });
  }

  /** Notes a use; written once a minute at most, for a lost write loses nothing that matters. */
  noteUse(id: string): void {
    const now = Date.now();
    if (now - (this.#usedAt.get(id) ?? 0) < MINUTE_MS) return;
    this.#usedAt.set(id, now);
    this.#options.store.touch(id, new Date(now)).catch((err) => {
      this.#options.log.warn({ err }, 'the last use of an API token could not be written');
    });
  }

  #record(
    { workgroup, id, owner }: ApiTokenRow,
    { email, address }: { email: string | null; address?: string },
    what: Pick<AuditEntry, 'action' | 'attribute' | 'oldValue' | 'newValue'>,
  ): void {
    const entry = { workgroup, at: Date.now(), controller: 'api_token', entity: `${owner} (${id})` };
    this.#options.audit.record({ ...entry, by: email, ...(address ? { address } : {}), ...what });
  }
}

/** Nobody makes a token that runs commands who may not run them. Throws `member.more_than_own`. */
function demandCommands(own: WorkgroupScope, token: WorkgroupScope): void {
  if (mayRunCommands(token) && !mayRunCommands(own))
    throw new AppError('member.more_than_own', { missing: 'controlDevices' });
}

function endOf(life: TokenLife, from: Date): Date {
  const { days = 0, months = 0 }: { days?: number; months?: number } = TOKEN_LIVES[life];
  const end = new Date(from);
  end.setUTCMonth(end.getUTCMonth() + months);
  // A month that has no such day ends with its last one.
  if (months > 0 && end.getUTCDate() !== from.getUTCDate()) end.setUTCDate(0);
  end.setUTCDate(end.getUTCDate() + days);
  return end;
}

const toApiToken = (row: ApiTokenRow): ApiToken => ({
  _id: row.id,
  owner: row.owner,
  email: row.email,
  expiry: row.expiry,
  canRenew: row.canRenew,
  permissions: row.permissions,
  devGroup: row.devGroup,
  createdBy: row.createdBy,
  createdAt: row.createdAt.getTime(),
  expiresAt: row.expiresAt.getTime(),
  lastUsedAt: row.lastUsedAt?.getTime() ?? null,
  revokedAt: row.revokedAt?.getTime() ?? null,
  revokedBecause: row.revokedBecause,
});
