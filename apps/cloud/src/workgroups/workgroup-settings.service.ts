import {
  isWorkgroupSetting,
  WORKGROUP_SETTINGS,
} from '@albedo/contract/workgroups/workgroup-settings.schema';
import type { Workgroup, WorkgroupChange } from '@albedo/contract/workgroups/workgroups.schema';
import type { Manager } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import { issuesText, requestIssues } from '../errors/request-issues.ts';
import type { WorkgroupSettingsStore } from './workgroup-settings.store.ts';
import type { Workgroups } from './workgroups.service.ts';

export interface WorkgroupSettingsOptions {
  store: WorkgroupSettingsStore;
  workgroups: Workgroups;
  audit: Audit;
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

  async update(workgroup: string, change: WorkgroupChange, by: Manager): Promise<Workgroup> {
    const { store, workgroups } = this.#options;
    const before = await workgroups.get(workgroup);
    await store.change(workgroup, change);
    for (const key of ['displayName', 'theme'] as const) {
      if (change[key] !== undefined) this.#record(workgroup, key, before[key], change[key], by);
    }
    workgroups.tellChanged(workgroup);
    return workgroups.get(workgroup);
  }

  /** Throws `workgroup.setting_unknown`, `workgroup.setting_invalid`. */
  async set(workgroup: string, key: string, value: unknown, by: Manager): Promise<Record<string, unknown>> {
    if (!isWorkgroupSetting(key)) {
      const known = Object.keys(WORKGROUP_SETTINGS).join(', ');
      throw new AppError('workgroup.setting_unknown', { key, known });
    }
    const { store, workgroups } = this.#options;
    const { settings } = await workgroups.get(workgroup);
    const wanted = value === null || value === undefined ? null : parse(key, value);
    if (wanted === null) await store.remove(workgroup, key);
    else await store.set(workgroup, key, wanted);
    this.#record(workgroup, key, settings[key], wanted, by);
    workgroups.tellChanged(workgroup);
    return this.get(workgroup);
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
