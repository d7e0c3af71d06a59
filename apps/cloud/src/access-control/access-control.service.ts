import { type AccessAction, ALL_RESOURCES, type ResourceType } from '@albedo/contract/access/resources';
import type {
  AccessMap,
  AccessRule,
  NewAccessRule,
  PrincipalType,
} from '@albedo/contract/access-control/access-control.schema';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import type { Actor } from '../access/actor.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import type { AccessControlStore, AccessRuleRow } from './access-control.store.ts';
import { accessRulesChanged } from './access-control.topics.ts';
import { CompiledRules } from './compiled-rules.ts';

/** Rules are read again after this, should a word of another process ever get lost. */
const FRESH_MS = 60_000;

export interface AccessControlOptions {
  store: AccessControlStore;
  audit: Audit;
  bus: Bus;
}

/** Who changes something, and from where. */
type By = Pick<Actor, 'email' | 'address'>;

/**
 * Rules on device commands and dashboards, in addition to permissions, for workgroups with the addon.
 *
 * The rules of a workgroup are in memory; a change counts at once on all processes.
 */
export class AccessControl {
  readonly #options: AccessControlOptions;
  readonly #compiled = new Map<string, { at: number; rules: Promise<CompiledRules> }>();

  constructor(options: AccessControlOptions) {
    this.#options = options;
  }

  /**
   * Whether the rules allow the holder of the session to do it; they allow everything without the addon. The permission is
   * not looked at: the endpoint or socket action declares that.
   */
  async allows(
    session: SessionClaims,
    workgroup: string,
    type: ResourceType,
    id: string,
    action: AccessAction,
  ): Promise<boolean> {
    const rules = await this.rules(workgroup);
    if (!rules.isOn) return true;
    return rules.verdict(rules.principalOf(session, workgroup), type, id, action).isAllowed;
  }

  /**
   * The same for many resources at once: a function that answers by id; null where the rules restrict nothing. Only
   * resources that rules name are weighed one by one.
   */
  async chooser(
    session: SessionClaims,
    workgroup: string,
    type: ResourceType,
    action: AccessAction,
  ): Promise<((id: string) => boolean) | null> {
    const rules = await this.rules(workgroup);
    if (!rules.isOn) return null;
    const principal = rules.principalOf(session, workgroup);
    const known = new Map<string, boolean>();
    return (asked) => {
      const id = rules.names(type, asked) ? asked : ALL_RESOURCES;
      const isAllowed = known.get(id) ?? rules.verdict(principal, type, id, action).isAllowed;
      known.set(id, isAllowed);
      return isAllowed;
    };
  }

  /** What the holder of the session may do, by resource. */
  async mine(session: SessionClaims, workgroup: string): Promise<AccessMap> {
    const rules = await this.rules(workgroup);
    if (!rules.isOn) return { isOn: false, resources: { DeviceCommand: {}, Dashboard: {}, Entity: {} } };
    return { isOn: true, resources: rules.mapOf(rules.principalOf(session, workgroup)) };
  }

  async list(workgroup: string): Promise<AccessRule[]> {
    return (await this.#options.store.list(workgroup)).map(toRule);
  }

  /** Throws `access_rule.too_many`, `access_rule.principal_unknown`, `access_rule.exists`. */
  create(workgroup: string, wanted: NewAccessRule, by: By): Promise<AccessRule> {
    return this.#options.store.together(() => this.#create(workgroup, wanted, by));
  }

  async #create(workgroup: string, wanted: NewAccessRule, by: By): Promise<AccessRule> {
    const { store } = this.#options;
    const { accessRules: count } = WORKGROUP_LIMITS;
    if ((await store.count(workgroup)) >= count) throw new AppError('access_rule.too_many', { count });
    const name = await this.#demandPrincipal(workgroup, wanted);
    const row = await store.add(workgroup, wanted, by.email);
    if (!row) throw new AppError('access_rule.exists');
    this.changed(workgroup);
    this.#record(row, by, { action: 'create', newValue: textOf(row, name) });
    return toRule(row);
  }

  /** Throws `access_rule.not_found`, `access_rule.principal_unknown`, `access_rule.exists`. */
  update(workgroup: string, id: string, wanted: NewAccessRule, by: By): Promise<AccessRule> {
    return this.#options.store.alone(workgroup, id, () => this.#update(workgroup, id, wanted, by));
  }

  async #update(workgroup: string, id: string, wanted: NewAccessRule, by: By): Promise<AccessRule> {
    const { store } = this.#options;
    const before = await store.find(workgroup, id);
    if (!before) throw new AppError('access_rule.not_found');
    const name = await this.#demandPrincipal(workgroup, wanted);
    const row = await store.set(workgroup, id, wanted);
    if (row === null) throw new AppError('access_rule.exists');
    if (!row) throw new AppError('access_rule.not_found');
    this.changed(workgroup);
    const oldName = await store.nameOf(workgroup, before.principalType, before.principalId);
    const change = { oldValue: textOf(before, oldName), newValue: textOf(row, name) };
    if (change.oldValue !== change.newValue) this.#record(row, by, { action: 'update', ...change });
    return toRule(row);
  }

  /** Throws `access_rule.not_found`. */
  remove(workgroup: string, id: string, by: By): Promise<void> {
    return this.#options.store.alone(workgroup, id, () => this.#remove(workgroup, id, by));
  }

  async #remove(workgroup: string, id: string, by: By): Promise<void> {
    const { store } = this.#options;
    const row = await store.remove(workgroup, id);
    if (!row) throw new AppError('access_rule.not_found');
    this.changed(workgroup);
    const name = await store.nameOf(workgroup, row.principalType, row.principalId);
    this.#record(row, by, { action: 'delete', oldValue: textOf(row, name) });
  }

  /** Deletes the rules of a principal that is gone, so that they do not come back with it. */
  async forget(
    workgroup: string,
    { principalType, principalId }: { principalType: PrincipalType; principalId: string },
    by: By,
  ): Promise<void> {
    const rows = await this.#options.store.removeOf(workgroup, principalType, principalId);
    this.changed(workgroup);
    for (const row of rows) this.#record(row, by, { action: 'delete', oldValue: textOf(row, undefined) });
  }

  /** To be called whenever the addon, the rules, the roles or the members of a workgroup changed. */
  changed(workgroup: string): void {
    void this.#options.bus.publish(accessRulesChanged, { workgroup });
  }

  /** Has the rules of the workgroup read again, after this process or another one changed them. */
  reload(workgroup: string): void {
    this.#compiled.delete(workgroup);
  }

  /** The rules of a workgroup as they are now. */
  rules(workgroup: string): Promise<CompiledRules> {
    const known = this.#compiled.get(workgroup);
    if (known && Date.now() - known.at < FRESH_MS) return known.rules;
    const rules = CompiledRules.read(this.#options.store, workgroup);
    const entry = { at: Date.now(), rules };
    this.#compiled.set(workgroup, entry);
    rules.catch(() => {
      if (this.#compiled.get(workgroup) === entry) this.#compiled.delete(workgroup);
    });
    return rules;
  }

  async #demandPrincipal(workgroup: string, { principalType, principalId }: NewAccessRule): Promise<string> {
    const isNamed = principalId !== '-';
    const canBe = !isNamed || UUID.test(principalId);
    const name = canBe ? await this.#options.store.nameOf(workgroup, principalType, principalId) : undefined;
    if (name === undefined) throw new AppError('access_rule.principal_unknown', { id: principalId });
    return name;
  }

  #record(
    row: AccessRuleRow,
    { email, address }: By,
    what: Pick<AuditEntry, 'action' | 'oldValue' | 'newValue'>,
  ): void {
    const entry = { workgroup: row.workgroup, at: Date.now(), controller: 'access_control', entity: row.id };
    this.#options.audit.record({ ...entry, attribute: 'rule', by: email, address, ...what });
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const toRule = ({ id, workgroup: _workgroup, createdAt, ...row }: AccessRuleRow): AccessRule => ({
  _id: id,
  ...row,
  createdAt: createdAt.getTime(),
});

/** A rule as the audit log tells it. */
function textOf(rule: NewAccessRule, name: string | undefined): string {
  const { effect, actions, resourceType, resourceId, principalType, principalId } = rule;
  const who = name === undefined || name === '-' ? principalId : `${name} (${principalId})`;
  return `${effect} ${actions.join(', ')} on ${resourceType} ${resourceId} for ${principalType} ${who}`;
}
