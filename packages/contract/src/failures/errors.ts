import { accessControlErrors } from '../access-control/access-control.errors.ts';
import { accountsErrors } from '../accounts/accounts.errors.ts';
import { alertsErrors } from '../alerts/alerts.errors.ts';
import { announcementsErrors } from '../announcements/announcements.errors.ts';
import { apiTokensErrors } from '../api-tokens/api-tokens.errors.ts';
import { approvalsErrors } from '../approvals/approvals.errors.ts';
import { boardsErrors } from '../boards/boards.errors.ts';
import { brandingErrors } from '../branding/branding.errors.ts';
import { bulkActionsErrors } from '../bulk-actions/bulk-actions.errors.ts';
import { calculationsErrors } from '../calculations/calculations.errors.ts';
import { cloudDevicesErrors } from '../cloud-devices/cloud-devices.errors.ts';
import { commissioningErrors } from '../commissioning/commissioning.errors.ts';
import { dataTablesErrors } from '../data-tables/data-tables.errors.ts';
import { deviceBackupsErrors } from '../device-backups/device-backups.errors.ts';
import { deviceCommandsErrors } from '../device-commands/device-commands.errors.ts';
import { deviceGroupsErrors } from '../device-groups/device-groups.errors.ts';
import { deviceIdentityErrors } from '../device-identity/device-identity.errors.ts';
import { devicesErrors } from '../devices/devices.errors.ts';
import { diagnosticsErrors } from '../diagnostics/diagnostics.errors.ts';
import { displaysErrors } from '../displays/displays.errors.ts';
import { energyErrors } from '../energy/energy.errors.ts';
import { entitiesErrors } from '../entities/entities.errors.ts';
import { externalSourcesErrors } from '../external-sources/external-sources.errors.ts';
import { formulaeErrors } from '../formulae/formulae.errors.ts';
import { historyErrors } from '../history/history.errors.ts';
import { historyImportsErrors } from '../history-imports/history-imports.errors.ts';
import type { CatalogEntry } from '../http/catalogs.ts';
import { generalErrors } from '../http/errors.ts';
import { identityProvidersErrors } from '../identity-providers/identity-providers.errors.ts';
import { incidentsErrors } from '../incidents/incidents.errors.ts';
import { jobsErrors } from '../jobs/jobs.errors.ts';
import { kpisErrors } from '../kpis/kpis.errors.ts';
import { longActionsErrors } from '../long-actions/long-actions.errors.ts';
import { lookupTablesErrors } from '../lookup-tables/lookup-tables.errors.ts';
import { machinesErrors } from '../machines/machines.errors.ts';
import { membersErrors } from '../members/members.errors.ts';
import { metadataErrors } from '../metadata/metadata.errors.ts';
import { mfaErrors } from '../mfa/mfa.errors.ts';
import { notificationsErrors } from '../notifications/notifications.errors.ts';
import { passkeysErrors } from '../passkeys/passkeys.errors.ts';
import { photosErrors } from '../photos/photos.errors.ts';
import { pluginsErrors } from '../plugins/plugins.errors.ts';
import { rolesErrors } from '../roles/roles.errors.ts';
import { schedulesErrors } from '../schedules/schedules.errors.ts';
import { searchesErrors } from '../searches/searches.errors.ts';
import { securityServicesErrors } from '../security-services/security-services.errors.ts';
import { sessionsErrors } from '../sessions/sessions.errors.ts';
import { settingsErrors } from '../settings/settings.errors.ts';
import { shellsErrors } from '../shells/shells.errors.ts';
import { supportErrors } from '../support/support.errors.ts';
import { telemetryErrors } from '../telemetry/telemetry.errors.ts';
import { tunnelsErrors } from '../tunnels/tunnels.errors.ts';
import { upgradesErrors } from '../upgrades/upgrades.errors.ts';
import { watchesErrors } from '../watches/watches.errors.ts';
import { webhooksErrors } from '../webhooks/webhooks.errors.ts';
import { workgroupAdminErrors } from '../workgroup-admin/workgroup-admin.errors.ts';
import { workgroupRequestsErrors } from '../workgroup-requests/workgroup-requests.errors.ts';
import { workgroupsErrors } from '../workgroups/workgroups.errors.ts';

/** Every expected failure. */
export const errorCatalog = {
  ...generalErrors,
  ...accessControlErrors,
  ...accountsErrors,
  ...alertsErrors,
  ...announcementsErrors,
  ...apiTokensErrors,
  ...approvalsErrors,
  ...boardsErrors,
  ...brandingErrors,
  ...bulkActionsErrors,
  ...cloudDevicesErrors,
  ...commissioningErrors,
  ...dataTablesErrors,
  ...deviceBackupsErrors,
  ...deviceGroupsErrors,
  ...deviceIdentityErrors,
  ...devicesErrors,
  ...deviceCommandsErrors,
  ...diagnosticsErrors,
  ...displaysErrors,
  ...energyErrors,
  ...entitiesErrors,
  ...externalSourcesErrors,
  ...formulaeErrors,
  ...historyImportsErrors,
  ...historyErrors,
  ...identityProvidersErrors,
  ...incidentsErrors,
  ...jobsErrors,
  ...longActionsErrors,
  ...lookupTablesErrors,
  ...calculationsErrors,
  ...kpisErrors,
  ...machinesErrors,
  ...membersErrors,
  ...metadataErrors,
  ...mfaErrors,
  ...notificationsErrors,
  ...passkeysErrors,
  ...photosErrors,
  ...pluginsErrors,
  ...rolesErrors,
  ...schedulesErrors,
  ...searchesErrors,
  ...securityServicesErrors,
  ...sessionsErrors,
  ...shellsErrors,
  ...settingsErrors,
  ...supportErrors,
  ...tunnelsErrors,
  ...upgradesErrors,
  ...telemetryErrors,
  ...watchesErrors,
  ...webhooksErrors,
  ...workgroupAdminErrors,
  ...workgroupRequestsErrors,
  ...workgroupsErrors,
};

export type ErrorName = keyof typeof errorCatalog;

/** Text of a failure with its facts filled in. */
export function errorText(name: ErrorName, facts: Readonly<Record<string, unknown>> = {}): string {
  return errorCatalog[name].text.replace(HOLES, (hole, fact: string) => String(facts[fact] ?? hole));
}

/** Those of the facts that stand in the sentence; no other leaves the server. */
export function factsInText(
  name: ErrorName,
  facts: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const names = [...errorCatalog[name].text.matchAll(HOLES)].map(([, fact = '']) => fact);
  return Object.fromEntries(
    names.filter((fact) => facts[fact] !== undefined).map((fact) => [fact, String(facts[fact])]),
  );
}

/** What an answer says as its `code`. */
export const errorCode = (name: ErrorName): number => {
  const { status, code }: CatalogEntry = errorCatalog[name];
  return code ?? status;
};

const HOLES = /\{(\w+)\}/g;
