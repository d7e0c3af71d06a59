import { PERMISSION_CODES } from '@albedo/contract/access/permissions';
import {
  type ApiToken,
  type NewApiToken,
  TOKEN_LIVES,
  type TokenLife,
} from '@albedo/contract/api-tokens/api-tokens.schema';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { Logger } from 'pino';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import { AppError } from '../http/app-error.ts';
import { demandMayGrant, withRead } from '../members/granting.ts';
import type { Manager } from '../members/members.service.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { ApiTokenRow, ApiTokensStore } from './api-tokens.store.ts';

const MINUTE_MS = 60_000;

export interface ApiTokensOptions {
  store: ApiTokensStore;
  sessions: Sessions;
  audit: Audit;
  log: Logger;
}

/**
 * API tokens: signed like sessions, for one workgroup, without a user.
 *
 * A renewal keeps the token's id, so that a revocation ends all that was ever signed for it.
 */
export class ApiTokens {
  readonly #options: ApiTokensOptions;
  readonly #usedAt = new Map<string, number>();

  constructor(options: ApiTokensOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { store, sessions } = this.#options;
    for (const id of await store.revoked(new Date())) {
      sessions.apply({ kind: 'user', userId: id, from: Number.POSITIVE_INFINITY, spared: null });
    }
    sessions.onApiTokenUse((id) => this.#use(id));
  }

  async list(workgroup: string): Promise<ApiToken[]> {
    return (await this.#options.store.list(workgroup)).map(toApiToken);
  }

  /** Throws what `demandMayGrant` throws. */
  async create(workgroup: string, wanted: NewApiToken, by: Manager): Promise<ApiToken & { token: string }> {
    const permissions = withRead(wanted.permissions);
    demandMayGrant(by.scope, null, { role: 'readonly', permissions });
    const createdAt = new Date();
    const row = await this.#options.store.add({
      ...wanted,
      workgroup,
      permissions,
      createdBy: by.email,
      createdAt,
      expiresAt: endOf(wanted.expiry, createdAt),
    });
    const newValue = `${row.email}, ${row.expiry}: ${permissions.join(', ')}`;
    this.#record(row, by, { action: 'create', newValue });
    return { ...toApiToken(row), token: await this.#sign(row) };
  }

  /** Throws `api_token.not_found`. */
  async setCanRenew(workgroup: string, id: string, canRenew: boolean, by: Manager): Promise<ApiToken> {
    const { store } = this.#options;
    const before = await store.find(workgroup, id);
    const row = await store.setCanRenew(workgroup, id, canRenew);
    if (!before || !row) throw new AppError('api_token.not_found');
    const oldValue = String(before.canRenew);
    this.#record(row, by, { action: 'update', attribute: 'canRenew', oldValue, newValue: String(canRenew) });
    return toApiToken(row);
  }

  /** Throws `api_token.not_found`, also for one that is revoked already. */
  async revoke(workgroup: string, id: string, by: Manager): Promise<ApiToken> {
    const { store, sessions } = this.#options;
    const row = await store.revoke(workgroup, id, new Date());
    if (!row) throw new AppError('api_token.not_found');
    await sessions.revokeUser(id);
    this.#record(row, by, { action: 'revoke' });
    return toApiToken(row);
  }

  /** A token with a later expiry. Throws `api_token.not_renewable`. */
  async renew(claims: SessionClaims, address: string): Promise<string> {
    const [workgroup = ''] = claims.memberOf;
    const { store } = this.#options;
    const known = await store.find(workgroup, claims._id);
    const row = known && (await store.renew(workgroup, known.id, endOf(known.expiry, new Date())));
    if (!row) throw new AppError('api_token.not_renewable');
    this.#record(row, { email: claims.email, address }, { action: 'renew' });
    return this.#sign(row);
  }

  #sign({ id, workgroup, owner, email, permissions, devGroup, expiresAt }: ApiTokenRow): Promise<string> {
    const scope = {
      role: 'readonly',
      permissions,
      ps: permissions.map((one) => PERMISSION_CODES[one]).join(' '),
      devGroup,
      scopes: { device: permissions.includes('controlDevices') ? ['rpc'] : [] },
    } as const;
    return this.#options.sessions.issueApiToken({
      _id: id,
      name: owner,
      // So that the audit log tells it from the user of that address.
      email: `api-token:${email}`,
      exp: Math.floor(expiresAt.getTime() / 1000),
      defaultWorkgroup: workgroup,
      memberOf: [workgroup],
      scopes: { [workgroup]: { ...scope, permissions: [...permissions] } },
    });
  }

  /** Written once a minute at most; a lost write loses nothing that matters. */
  #use(id: string): void {
    const now = Date.now();
    if (now - (this.#usedAt.get(id) ?? 0) < MINUTE_MS) return;
    this.#usedAt.set(id, now);
    this.#options.store.touch(id, new Date(now)).catch((err) => {
      this.#options.log.warn({ err }, 'the last use of an API token could not be written');
    });
  }

  #record(
    { workgroup, id, owner }: ApiTokenRow,
    { email, address }: { email: string; address: string },
    what: Pick<AuditEntry, 'action' | 'attribute' | 'oldValue' | 'newValue'>,
  ): void {
    const entry = { workgroup, at: Date.now(), controller: 'api_token', entity: `${owner} (${id})` };
    this.#options.audit.record({ ...entry, by: email, address, ...what });
  }
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
});
