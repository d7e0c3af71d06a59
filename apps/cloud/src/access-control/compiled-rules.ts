import { scopeIn } from '@albedo/contract/access/permissions';
import {
  type AccessAction,
  ALL_RESOURCES,
  RESOURCE_ACTIONS,
  type ResourceType,
} from '@albedo/contract/access/resources';
import type { AccessMap } from '@albedo/contract/access-control/access-control.schema';
import { evaluate, type Principal, type Verdict } from '@albedo/contract/access-control/evaluate';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { AccessControlStore, AccessRuleRow } from './access-control.store.ts';

/** The rules of one workgroup in memory, with who has which role. */
export class CompiledRules {
  readonly isOn: boolean;
  readonly #rules: readonly AccessRuleRow[];
  readonly #roles: ReadonlyMap<string, readonly string[]>;
  readonly #named: ReadonlySet<string>;

  static async read(store: AccessControlStore, workgroup: string): Promise<CompiledRules> {
    const [isOn, rules, given] = await Promise.all([
      store.isOn(workgroup),
      store.list(workgroup),
      store.rolesOfUsers(workgroup),
    ]);
    const roles = new Map<string, string[]>();
    for (const { userId, roleId } of given) roles.set(userId, [...(roles.get(userId) ?? []), roleId]);
    return new CompiledRules(isOn, rules, roles);
  }

  private constructor(isOn: boolean, rules: AccessRuleRow[], roles: Map<string, string[]>) {
    this.isOn = isOn;
    this.#rules = rules;
    this.#roles = roles;
    this.#named = new Set(rules.map(({ resourceType, resourceId }) => `${resourceType}.${resourceId}`));
  }

  rolesOf(userId: string): readonly string[] {
    return this.#roles.get(userId) ?? [];
  }

  /** The holder of a session in this workgroup, as the rules see them. */
  principalOf(session: SessionClaims, workgroup: string): Principal {
    const devGroup = scopeIn(session, workgroup)?.devGroup ?? null;
    return session.apiToken
      ? { kind: 'token', id: session._id, devGroup, roles: [] }
      : { kind: 'user', id: session._id, devGroup, roles: this.rolesOf(session._id) };
  }

  /** Whether a rule is about this resource in particular. */
  names(type: ResourceType, id: string): boolean {
    return this.#named.has(`${type}.${id}`);
  }

  verdict(
    principal: Principal,
    type: ResourceType,
    id: string,
    action: AccessAction,
  ): Verdict<AccessRuleRow> {
    return evaluate(this.#rules, principal, { type, id }, action);
  }

  /**
   * What the principal may do with `all`, and with each resource where that is something else: rules about others tell
   * him of no resource.
   */
  mapOf(principal: Principal): AccessMap['resources'] {
    const types = Object.keys(RESOURCE_ACTIONS) as ResourceType[];
    return Object.fromEntries(
      types.map((type) => {
        const named = this.#rules.filter((rule) => rule.resourceType === type).map((rule) => rule.resourceId);
        const ids = [...new Set([ALL_RESOURCES, ...named])];
        const actionsOn = (id: string): AccessAction[] =>
          RESOURCE_ACTIONS[type].filter((action) => this.verdict(principal, type, id, action).isAllowed);
        const all = String(actionsOn(ALL_RESOURCES));
        const other = ids.filter((id) => id === ALL_RESOURCES || String(actionsOn(id)) !== all);
        return [type, Object.fromEntries(other.map((id) => [id, actionsOn(id)]))];
      }),
    ) as AccessMap['resources'];
  }
}
