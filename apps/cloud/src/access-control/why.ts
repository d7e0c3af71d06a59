import type { WorkgroupScope } from '@albedo/contract/access/permissions';
import { PERMISSION_CODES } from '@albedo/contract/access/permissions';
import type { Explanation, whyQuery } from '@albedo/contract/access-control/access-control.schema';
import { holdsNeeded, neededFor, type Principal } from '@albedo/contract/access-control/evaluate';
import type { z } from 'zod';
import { scopeOfToken } from '../access/token-scope.ts';
import type { ApiTokens } from '../api-tokens/api-tokens.service.ts';
import type { Members } from '../members/members.service.ts';
import { type AccessControl, toRule } from './access-control.service.ts';

/** The person in question, with what they may do by permission. */
interface Subject {
  name: string;
  principal: Principal;
  scope: WorkgroupScope;
}

/** Tells why a member or an API token may do something, or may not. */
export class Why {
  readonly #accessControl: AccessControl;
  readonly #members: Members;
  readonly #apiTokens: ApiTokens;

  constructor(of: { accessControl: AccessControl; members: Members; apiTokens: ApiTokens }) {
    this.#accessControl = of.accessControl;
    this.#members = of.members;
    this.#apiTokens = of.apiTokens;
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
    const member = await this.#members.get(workgroup, id);
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
    const token = await this.#apiTokens.live(workgroup, id);
    const principal: Principal = { kind: 'token', id, devGroup: token.devGroup, roles: [] };
    return { name: token.owner, principal, scope: scopeOfToken(token) };
  }
}
