import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import {
  type Language,
  SETTING_BYTES,
  type SettingKey,
  settingKey,
  type UserSettings,
  userSettings,
} from '@albedo/contract/settings/settings.schema';
import { AppError } from '../errors/app-error.ts';
import { issuesText, requestIssues } from '../errors/request-issues.ts';
import type { AccountAudit } from '../users/account-audit.ts';
import type { SettingsStore } from './settings.store.ts';

/** How people want the app. Keys that the contract does not know do not exist. */
export class Settings {
  readonly #store: SettingsStore;
  readonly #audit: AccountAudit;

  constructor(store: SettingsStore, audit: AccountAudit) {
    this.#store = store;
    this.#audit = audit;
  }

  /** As `list`; an identity provider's session does not see workgroups that it does not open. */
  async listOf({ _id, idpId, memberOf }: SessionClaims): Promise<UserSettings> {
    const known = await this.list(_id);
    if (idpId === undefined || !known.hiddenOrgs) return known;
    return { ...known, hiddenOrgs: known.hiddenOrgs.filter((one) => memberOf.includes(one)) };
  }

  /** What was kept in a form that is no longer known counts as not set. */
  async list(userId: string): Promise<UserSettings> {
    const known: Record<string, unknown> = {};
    for (const { key, value } of await this.#store.list(userId)) {
      const parsed = settingKey.safeParse(key).data;
      const kept = parsed && userSettings.shape[parsed].safeParse(value);
      if (kept?.success) known[key] = kept.data;
    }
    return known;
  }

  /** Null when it is not set. Throws `setting.unknown`. */
  async get(session: SessionClaims, key: string): Promise<unknown> {
    return (await this.listOf(session))[keyOf(key)] ?? null;
  }

  /** Answers what is kept. Throws `setting.unknown`, `request.too_large`, `request.invalid`. */
  async set(session: SessionClaims, key: string, value: unknown, address: string): Promise<unknown> {
    const known = keyOf(key);
    const before = await this.get(session, known);
    const after = value === null || value === undefined ? null : checked(known, value);
    if (JSON.stringify(before) === JSON.stringify(after)) return before;
    const kept = known === 'hiddenOrgs' ? await this.#withUntold(session, after) : after;
    if (kept === null) await this.#store.remove(session._id, known);
    else await this.#store.set(session._id, known, kept);
    await this.#audit.record(
      { userId: session._id, email: session.email, address },
      {
        controller: 'me',
        action: 'update',
        attribute: `settings.${known}`,
        oldValue: (workgroup) => textFor(workgroup, known, before),
        newValue: (workgroup) => textFor(workgroup, known, after),
      },
    );
    return after;
  }

  /** Hidden workgroups with those that an identity provider's session was not told of, which are none of its business. */
  async #withUntold({ _id, idpId, memberOf }: SessionClaims, told: unknown): Promise<unknown> {
    const { hiddenOrgs = [] } = idpId === undefined ? {} : await this.list(_id);
    const untold = hiddenOrgs.filter((one) => !memberOf.includes(one));
    return untold.length > 0 ? [...new Set([...untold, ...((told ?? []) as string[])])] : told;
  }

  /** The language of mails to this user. */
  async languageOf(userId: string): Promise<Language> {
    return (await this.list(userId)).language ?? 'en';
  }

  /** As `languageOf`; of an address without an account English. */
  async languageOfAddress(email: string): Promise<Language> {
    const userId = await this.#store.userOf(email);
    return userId === null ? 'en' : this.languageOf(userId);
  }
}

/** A value as the log of a workgroup has it: names of other workgroups are none of its business. */
function textFor(workgroup: string, key: SettingKey, value: unknown): string {
  if (key !== 'hiddenOrgs' || !Array.isArray(value)) return JSON.stringify(value);
  return JSON.stringify(value.filter((one) => one === workgroup));
}

function keyOf(key: string): SettingKey {
  const known = settingKey.safeParse(key).data;
  if (!known) throw new AppError('setting.unknown', { key });
  return known;
}

function checked(key: SettingKey, value: unknown): unknown {
  if (Buffer.byteLength(JSON.stringify(value)) > SETTING_BYTES) {
    throw new AppError('request.too_large', { limit: `${SETTING_BYTES / 1024} kB` });
  }
  const parsed = userSettings.shape[key].safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = requestIssues(parsed.error.issues, key);
  throw new AppError('request.invalid', { what: issuesText(issues) }, issues);
}
