import { accessControl } from './features/access-control/access-control.feature.ts';
import { accounts } from './features/accounts/accounts.feature.ts';
import { addons } from './features/addons/addons.feature.ts';
import { alerts } from './features/alerts/alerts.feature.ts';
import { analysis } from './features/analysis/analysis.feature.ts';
import { announcements } from './features/announcements/announcements.feature.ts';
import { apiTokens } from './features/api-tokens/api-tokens.feature.ts';
import { approvals } from './features/approvals/approvals.feature.ts';
import { asCode } from './features/as-code/as-code.feature.ts';
import { audit } from './features/audit/audit.feature.ts';
import { boards } from './features/boards/boards.feature.ts';
import { branding } from './features/branding/branding.feature.ts';
import { bulkActions } from './features/bulk-actions/bulk-actions.feature.ts';
import { calculations } from './features/calculations/calculations.feature.ts';
import { cloudDevices } from './features/cloud-devices/cloud-devices.feature.ts';
import { commissioning } from './features/commissioning/commissioning.feature.ts';
import { completeness } from './features/completeness/completeness.feature.ts';
import { dataTables } from './features/data-tables/data-tables.feature.ts';
import { demo } from './features/demo/demo.feature.ts';
import { deviceBackups } from './features/device-backups/device-backups.feature.ts';
import { deviceCommands } from './features/device-commands/device-commands.feature.ts';
import { deviceConfig } from './features/device-config/device-config.feature.ts';
import { deviceFiles } from './features/device-files/device-files.feature.ts';
import { deviceGroups } from './features/device-groups/device-groups.feature.ts';
import { deviceIdentity } from './features/device-identity/device-identity.feature.ts';
import { deviceLabel } from './features/device-label/device-label.feature.ts';
import { devices } from './features/devices/devices.feature.ts';
import { diagnostics } from './features/diagnostics/diagnostics.feature.ts';
import { discovery } from './features/discovery/discovery.feature.ts';
import { elsewhere } from './features/elsewhere/elsewhere.feature.ts';
import { energy } from './features/energy/energy.feature.ts';
import { energyConfig } from './features/energy-config/energy-config.feature.ts';
import { entities } from './features/entities/entities.feature.ts';
import { externalSources } from './features/external-sources/external-sources.feature.ts';
import { glance } from './features/glance/glance.feature.ts';
import { help } from './features/help/help.feature.ts';
import { historyImports } from './features/history-imports/history-imports.feature.ts';
import { identityProviders } from './features/identity-providers/identity-providers.feature.ts';
import { incidents } from './features/incidents/incidents.feature.ts';
import { installation } from './features/installation/installation.feature.ts';
import { jobs } from './features/jobs/jobs.feature.ts';
import { keyboard } from './features/keyboard/keyboard.feature.ts';
import { kpis } from './features/kpis/kpis.feature.ts';
import { labelling } from './features/labelling/labelling.feature.ts';
import { longActions } from './features/long-actions/long-actions.feature.ts';
import { lookupTables } from './features/lookup-tables/lookup-tables.feature.ts';
import { machines } from './features/machines/machines.feature.ts';
import { members } from './features/members/members.feature.ts';
import { metadata } from './features/metadata/metadata.feature.ts';
import { mfa } from './features/mfa/mfa.feature.ts';
import { notifications } from './features/notifications/notifications.feature.ts';
import { passkeys } from './features/passkeys/passkeys.feature.ts';
import { photos } from './features/photos/photos.feature.ts';
import { plants } from './features/plants/plants.feature.ts';
import { plugins } from './features/plugins/plugins.feature.ts';
import { roles } from './features/roles/roles.feature.ts';
import { schedules } from './features/schedules/schedules.feature.ts';
import { search } from './features/search/search.feature.ts';
import { searches } from './features/searches/searches.feature.ts';
import { securityServices } from './features/security-services/security-services.feature.ts';
import { sessions } from './features/sessions/sessions.feature.ts';
import { settings } from './features/settings/settings.feature.ts';
import { shellFeature } from './features/shell/shell.feature.ts';
import { shells } from './features/shells/shells.feature.ts';
import { stepUp } from './features/step-up/step-up.feature.ts';
import { storeChecks } from './features/store-checks/store-checks.feature.ts';
import { support } from './features/support/support.feature.ts';
import { telemetry } from './features/telemetry/telemetry.feature.ts';
import { tunnels } from './features/tunnels/tunnels.feature.ts';
import { upgrades } from './features/upgrades/upgrades.feature.ts';
import { webhooks } from './features/webhooks/webhooks.feature.ts';
import { workgroupAdmin } from './features/workgroup-admin/workgroup-admin.feature.ts';
import { workgroupRequests } from './features/workgroup-requests/workgroup-requests.feature.ts';
import { workgroups } from './features/workgroups/workgroups.feature.ts';

export { firstFormats } from './app/first-formats.ts';

/** Every feature. The sign-in page does without this list; the public pages among them stand in `public.ts` as well. */
export const features = [
  accessControl,
  accounts,
  addons,
  alerts,
  analysis,
  announcements,
  apiTokens,
  approvals,
  asCode,
  audit,
  boards,
  branding,
  bulkActions,
  cloudDevices,
  commissioning,
  completeness,
  dataTables,
  demo,
  deviceBackups,
  deviceIdentity,
  deviceCommands,
  deviceConfig,
  externalSources,
  deviceFiles,
  deviceGroups,
  deviceLabel,
  devices,
  diagnostics,
  discovery,
  elsewhere,
  energy,
  energyConfig,
  entities,
  glance,
  help,
  historyImports,
  identityProviders,
  incidents,
  installation,
  jobs,
  storeChecks,
  keyboard,
  kpis,
  calculations,
  labelling,
  longActions,
  lookupTables,
  machines,
  members,
  metadata,
  mfa,
  notifications,
  passkeys,
  photos,
  plants,
  plugins,
  roles,
  schedules,
  search,
  searches,
  securityServices,
  sessions,
  settings,
  shellFeature,
  shells,
  stepUp,
  support,
  telemetry,
  tunnels,
  upgrades,
  webhooks,
  workgroupAdmin,
  workgroupRequests,
  workgroups,
] as const;
