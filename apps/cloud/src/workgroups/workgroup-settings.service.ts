import { LABELS_SETTING, labelsOf } from '@albedo/contract/entities/labels';
import {
  GUARDED_SETTINGS,
  isWorkgroupSetting,
  WORKGROUP_SETTINGS,
} from '@albedo/contract/workgroups/workgroup-settings.schema';
import type { Workgroup, WorkgroupChange } from '@albedo/contract/workgroups/workgroups.schema';
import type { Manager } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import { issuesText, requestIssues } from '../errors/request-issues.ts';
import type { History } from '../history/history.service.ts';
import type { WorkgroupSettingsStore } from './workgroup-settings.store.ts';
import type { Workgroups } from './workgroups.service.ts';

export interface WorkgroupSettingsOptions {
  store: WorkgroupSettingsStore;
  workgroups: Workgroups;
  audit: Audit;
  history: Pick<History, 'keep' | 'asOne'>;
}

/** What coordinators change of their workgroup. Everybody in it hears of it at once. */
export class WorkgroupSettings {
  readonly #options: WorkgroupSettingsOptions;

  constructor(options: WorkgroupSettingsOptions) {
    this.#options = options;
  }

  async get(workgroup: string): Promise<Record<string, unknown>> {
    return (await this.#options.workgroups.get(workgroup)).settings;
  }

  update(workgroup: string, change: WorkgroupChange, by: Manager): Promise<Workgroup> {
    return this.#options.store.alone(workgroup, () => this.#update(workgroup, change, by));
  }

  async #update(workgroup: string, change: WorkgroupChange, by: Manager): Promise<Workgroup> {
    const { store, workgroups } = this.#options;
    const before = await workgroups.get(workgroup);
    await store.change(workgroup, change);
    for (const key of ['displayName', 'theme'] as const) {
      if (change[key] !== undefined) this.#record(workgroup, key, before[key], change[key], by);
    }
    workgroups.tellChanged(workgroup);
    return workgroups.get(workgroup);
  }

  /** Throws `workgroup.setting_unknown`, `workgroup.setting_guarded`, `workgroup.setting_invalid`. */
  set(workgroup: string, key: string, value: unknown, by: Manager): Promise<Record<string, unknown>> {
    return this.#options.store.alone(workgroup, () => this.#set(workgroup, key, value, by));
  }

  async #set(workgroup: string, key: string, value: unknown, by: Manager): Promise<Record<string, unknown>> {
    if (!isWorkgroupSetting(key)) {
      const known = Object.keys(WORKGROUP_SETTINGS).join(', ');
      throw new AppError('workgroup.setting_unknown', { key, known });
    }
    const guard = GUARDED_SETTINGS[key];
    if (guard !== undefined) throw new AppError('workgroup.setting_guarded', { key, call: guard });
    const { store, workgroups } = this.#options;
    const { settings } = await workgroups.get(workgroup);
    const wanted = value === null || value === undefined ? null : parse(key, value);
    if (wanted === null) await store.remove(workgroup, key);
    else await store.set(workgroup, key, wanted);
    if (key === LABELS_SETTING) await this.#keepLabels(workgroup, settings, { [key]: wanted }, by);
    this.#record(workgroup, key, settings[key], wanted, by);
    workgroups.tellChanged(workgroup);
    return this.get(workgroup);
  }

  /** Each label that is another one now is a save of its own. */
  async #keepLabels(
    workgroup: string,
    was: Record<string, unknown>,
    is: Record<string, unknown>,
    by: Manager,
  ): Promise<void> {
    const old = new Map(labelsOf(was).map((one) => [one.id, one]));
    const now = new Map(labelsOf(is).map((one) => [one.id, one]));
    const saves = [...new Set([...old.keys(), ...now.keys()])].flatMap((id) => {
      const [before, after] = [old.get(id), now.get(id)];
      if (before?.name === after?.name && before?.color === after?.color) return [];
      const content = after ? { name: after.name, color: after.color } : null;
      const kept = before && { name: before.name, content: { name: before.name, color: before.color } };
      return [{ id, name: (after ?? before)?.name ?? id, content, before: kept }];
    });
    const { history } = this.#options;
    const keep = () => history.keep({ workgroup, kind: 'label', by }, saves);
    if (saves.length > 1) await history.asOne(keep);
    else if (saves.length > 0) await keep();
  }

  #record(workgroup: string, attribute: string, was: unknown, is: unknown, by: Manager): void {
    const [oldValue, newValue] = [textOf(was), textOf(is)];
    if (oldValue === newValue) return;
    const at = Date.now();
    const entry = { workgroup, at, controller: 'workgroup', entity: workgroup, action: 'update', attribute };
    this.#options.audit.record({ ...entry, oldValue, newValue, by: by.email, address: by.address });
  }
}

function parse(key: keyof typeof WORKGROUP_SETTINGS, value: unknown): unknown {
  const parsed = WORKGROUP_SETTINGS[key].safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = requestIssues(parsed.error.issues);
  throw new AppError('workgroup.setting_invalid', { key, why: issuesText(issues) }, issues);
}

/** Texts as they are, all else as JSON with its keys in order; null where nothing is set. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value, inOrder);
}

const inOrder = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
