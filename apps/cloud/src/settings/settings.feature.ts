import type { Postgres } from '@albedo/postgres/postgres';
import type { Feature } from '../house/feature.ts';
import type { AccountAudit } from '../users/account-audit.ts';
import { settingsRoutes } from './settings.routes.ts';
import { Settings } from './settings.service.ts';
import { SettingsStore } from './settings.store.ts';

/** What people set for themselves. */
export function openSettings(of: { postgres: Postgres; accountAudit: AccountAudit }): Feature<Settings> {
  const store = new SettingsStore(of.postgres);
  const settings = new Settings(store, of.accountAudit);
  return {
    name: 'settings',
    service: settings,
    workgroupPart: { closing: (workgroup) => store.forgetWorkgroup(workgroup) },
    routes: (app) => settingsRoutes(app, settings),
  };
}
