import type { core } from 'zod';
import { accessControlIssues } from '../access-control/access-control.errors.ts';
import { accountsIssues } from '../accounts/accounts.errors.ts';
import { alertsIssues } from '../alerts/alerts.errors.ts';
import { announcementsIssues } from '../announcements/announcements.errors.ts';
import { apiTokensIssues } from '../api-tokens/api-tokens.errors.ts';
import { asCodeIssues } from '../as-code/as-code.errors.ts';
import { auditIssues } from '../audit/audit.errors.ts';
import { boardsIssues } from '../boards/boards.errors.ts';
import { brandingIssues } from '../branding/branding.errors.ts';
import { bulkActionsIssues } from '../bulk-actions/bulk-actions.errors.ts';
import { calculationsIssues } from '../calculations/calculations.errors.ts';
import { cloudDevicesIssues } from '../cloud-devices/cloud-devices.errors.ts';
import { commissioningIssues } from '../commissioning/commissioning.errors.ts';
import { deviceCommandsIssues } from '../device-commands/device-commands.errors.ts';
import { deviceConfigIssues } from '../device-config/device-config.errors.ts';
import { devicesIssues } from '../devices/devices.errors.ts';
import { diagnosticsIssues } from '../diagnostics/diagnostics.errors.ts';
import { displaysIssues } from '../displays/displays.errors.ts';
import { energyIssues } from '../energy/energy.errors.ts';
import { entitiesIssues } from '../entities/entities.errors.ts';
import { externalSourcesIssues } from '../external-sources/external-sources.errors.ts';
import { historyImportsIssues } from '../history-imports/history-imports.errors.ts';
import { filled, generalIssues, type NamedIssue, nameByCode } from '../http/issues.ts';
import { identityProvidersIssues } from '../identity-providers/identity-providers.errors.ts';
import { incidentsIssues } from '../incidents/incidents.errors.ts';
import { kpisIssues } from '../kpis/kpis.errors.ts';
import { labellingIssues } from '../labelling/labelling.errors.ts';
import { lookupTablesIssues } from '../lookup-tables/lookup-tables.errors.ts';
import { membersIssues } from '../members/members.errors.ts';
import { metadataIssues } from '../metadata/metadata.errors.ts';
import { mfaIssues } from '../mfa/mfa.errors.ts';
import { notificationsIssues } from '../notifications/notifications.errors.ts';
import { pluginsIssues } from '../plugins/plugins.errors.ts';
import { schedulesIssues } from '../schedules/schedules.errors.ts';
import { sessionsIssues } from '../sessions/sessions.errors.ts';
import { settingsIssues } from '../settings/settings.errors.ts';
import { telemetryIssues } from '../telemetry/telemetry.errors.ts';
import { tunnelsIssues } from '../tunnels/tunnels.errors.ts';
import { webhooksIssues } from '../webhooks/webhooks.errors.ts';
import { workgroupsIssues } from '../workgroups/workgroups.errors.ts';

/** The sentences of all our schemas. */
export const issueCatalog = {
  ...generalIssues,
  ...accessControlIssues,
  ...accountsIssues,
  ...alertsIssues,
  ...announcementsIssues,
  ...apiTokensIssues,
  ...asCodeIssues,
  ...auditIssues,
  ...boardsIssues,
  ...brandingIssues,
  ...bulkActionsIssues,
  ...cloudDevicesIssues,
  ...commissioningIssues,
  ...deviceCommandsIssues,
  ...deviceConfigIssues,
  ...devicesIssues,
  ...diagnosticsIssues,
  ...displaysIssues,
  ...energyIssues,
  ...entitiesIssues,
  ...externalSourcesIssues,
  ...historyImportsIssues,
  ...calculationsIssues,
  ...kpisIssues,
  ...identityProvidersIssues,
  ...incidentsIssues,
  ...labellingIssues,
  ...lookupTablesIssues,
  ...membersIssues,
  ...metadataIssues,
  ...mfaIssues,
  ...notificationsIssues,
  ...webhooksIssues,
  ...pluginsIssues,
  ...schedulesIssues,
  ...sessionsIssues,
  ...settingsIssues,
  ...telemetryIssues,
  ...tunnelsIssues,
  ...workgroupsIssues,
};

export type IssueName = keyof typeof issueCatalog;

const BY_SENTENCE = new Map<string, string>(
  Object.entries(issueCatalog).map(([name, sentence]) => [sentence, name]),
);

/** The sentence of an issue in English. */
export const issueText = (issue: IssueName, facts: NamedIssue['facts'] = {}): string =>
  filled(issueCatalog[issue], facts);

/** The name of what a schema found wrong; null where it said something particular. */
export function nameIssue(found: { code: string; message: string; params?: unknown }): NamedIssue | null {
  if (found.code === 'custom' && isNamed(found.params)) return found.params;
  const issue = BY_SENTENCE.get(found.message);
  return issue ? { issue, facts: {} } : nameByCode(found as core.$ZodIssue);
}

const isNamed = (params: unknown): params is NamedIssue =>
  typeof params === 'object' && params !== null && 'issue' in params && 'facts' in params;
