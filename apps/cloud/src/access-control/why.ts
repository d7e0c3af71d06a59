import type { WorkgroupScope } from '@albedo/contract/access/permissions';
import { PERMISSION_CODES } from '@albedo/contract/access/permissions';
import type { Explanation, whyQuery } from '@albedo/contract/access-control/access-control.schema';
import { holdsNeeded, neededFor, type Principal } from '@albedo/contract/access-control/evaluate';
import type { z } from 'zod';
import { scopeOfToken } from '../access/token-scope.ts';
import type { ApiTokensStore } from '../api-tokens/api-tokens.store.ts';
import { AppError } from '../errors/app-error.ts';
import type { MembersStore } from '../members/members.store.ts';
import { type AccessControl, toRule } from './access-control.service.ts';

/** Somebody who is asked about, with what he may do by permission. */
interface Subject {
  name: string;
  principal: Principal;
  scope: WorkgroupScope;
}

/** Tells why a member or an API token may do something, or may not. */
export class Why {
  readonly #accessControl: AccessControl;
  readonly #members: MembersStore;
  readonly #tokens: ApiTokensStore;

  constructor(of: { accessControl: AccessControl; members: MembersStore; tokens: ApiTokensStore }) {
    this.#accessControl = of.accessControl;
    this.#members = of.members;
    this.#tokens = of.tokens;
  }

  /** Throws `member.not_found`, `api_token.not_found`. */
  async explain(workgroup: string, asked: z.output<typeof whyQuery>): Promise<Explanation> {
    const { resourceType, resourceId, action } = asked;
    const rules = await this.#accessControl.rules(workgroup);
    const { name, principal, scope } =
      asked.principalType === 'User'
        ? await this.#member(workgroup, asked.principalId, rules.rolesOf(asked.principalId))
        : await this.#token(workgroup, asked.principalId);
    const verdict = rules.verdict(principal, resourceType, resourceId, action);
    const needed = neededFor(resourceType, action);
    const isHeld = holdsNeeded(scope, needed);
    return {
      isAllowed: isHeld && (verdict.isAllowed || !rules.isOn),
      isOn: rules.isOn,
      isAllowedByRules: verdict.isAllowed,
      permission: { needed, isHeld },
      principal: { name, devGroup: principal.devGroup, roles: [...principal.roles] },
      rules: verdict.rules.map(toRule),
    };
  }

  async #member(workgroup: string, id: string, roles: readonly string[]): Promise<Subject> {
    const member = await this.#members.find(workgroup, id);
    if (!member) throw new AppError('member.not_found');
    const { name, role, permissions, devGroup } = member;
    const ps = permissions.map((one) => PERMISSION_CODES[one]).join(' ');
    const device = await this.#members.deviceScopes(workgroup, id);
    return {
      name,
      principal: { kind: 'user', id, devGroup, roles },
      scope: { role, permissions, ps, devGroup, scopes: { device } },
    };
  }

  async #token(workgroup: string, id: string): Promise<Subject> {
    const token = await this.#tokens.find(workgroup, id);
    if (!token || token.revokedAt || token.expiresAt.getTime() <= Date.now()) {
      throw new AppError('api_token.not_found');
    }
    const principal: Principal = { kind: 'token', id, devGroup: token.devGroup, roles: [] };
    return { name: token.owner, principal, scope: scopeOfToken(token) };
  }
}
