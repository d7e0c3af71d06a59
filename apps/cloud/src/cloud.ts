import type { Logger } from 'pino';
import { EnabledAddons } from './access/enabled-addons.ts';
import { openAccessControl } from './access-control/access-control.feature.ts';
import { openAccounts } from './accounts/accounts.feature.ts';
import { openAlerts } from './alerts/alerts.feature.ts';
import { openAnnouncements } from './announcements/announcements.feature.ts';
import { openApiTokens } from './api-tokens/api-tokens.feature.ts';
import { openApprovals } from './approvals/approvals.feature.ts';
import { openAsCode } from './as-code/as-code.feature.ts';
import { openAttempts } from './attempts/attempts.feature.ts';
import { openAudit } from './audit/audit.feature.ts';
import { openBackups } from './backups/backups.feature.ts';
import { openBoards } from './boards/boards.feature.ts';
import { openBranding } from './branding/branding.feature.ts';
import { openBulkActions } from './bulk-actions/bulk-actions.feature.ts';
import type { Bus } from './bus/bus.ts';
import { openCalculations } from './calculations/calculations.feature.ts';
import { openCertificates } from './certificates/certificates.feature.ts';
import { openCloudDevices } from './cloud-devices/cloud-devices.feature.ts';
import { openCommissioning } from './commissioning/commissioning.feature.ts';
import { openCompleteness } from './completeness/completeness.feature.ts';
import type { Config } from './config/config.ts';
import { openDataTables } from './data-tables/data-tables.feature.ts';
import { openDeadJobs } from './dead-jobs/dead-jobs.feature.ts';
import { openDemo } from './demo/demo.feature.ts';
import { openDeviceAsks } from './device-asks/device-asks.feature.ts';
import { openDeviceBackups } from './device-backups/device-backups.feature.ts';
import { openDeviceCommands } from './device-commands/device-commands.feature.ts';
import { openDeviceConfig } from './device-config/device-config.feature.ts';
import { openDeviceFiles } from './device-files/device-files.feature.ts';
import { openDeviceGroups } from './device-groups/device-groups.feature.ts';
import { openDeviceIdentity } from './device-identity/device-identity.feature.ts';
import { openDeviceLink } from './device-link/device-link.feature.ts';
import { openDevices } from './devices/devices.feature.ts';
import { openDiagnostics } from './diagnostics/diagnostics.feature.ts';
import { openDiscovery } from './discovery/discovery.feature.ts';
import { openDisplays } from './displays/displays.feature.ts';
import { openEnergy } from './energy/energy.feature.ts';
import { type Engines, engineChecks } from './engines/engines.ts';
import { openEnrolment } from './enrolment/enrolment.feature.ts';
import { openEntities } from './entities/entities.feature.ts';
import { openExternalSources } from './external-sources/external-sources.feature.ts';
import { openFieldRoles } from './field-roles/field-roles.feature.ts';
import { openForecastTables } from './forecast-tables/forecast-tables.feature.ts';
import { openFormulae } from './formulae/formulae.feature.ts';
import { openGlance } from './glance/glance.feature.ts';
import { openHealth } from './health/health.feature.ts';
import { openHistory } from './history/history.feature.ts';
import { openHistoryImports } from './history-imports/history-imports.feature.ts';
import type { House } from './house/house.ts';
import { openIdentityProviders } from './identity-providers/identity-providers.feature.ts';
import { openIncidents } from './incidents/incidents.feature.ts';
import { openIngest } from './ingest/ingest.feature.ts';
import type { IngestLimits } from './ingest/ingest.limits.ts';
import { openInstallation } from './installation/installation.feature.ts';
import { openKpis } from './kpis/kpis.feature.ts';
import { openLabelling } from './labelling/labelling.feature.ts';
import { openLatestValues } from './latest-values/latest-values.feature.ts';
import { openLiveFeeds } from './live-feeds/live-feeds.feature.ts';
import { openLongActions } from './long-actions/long-actions.feature.ts';
import { openLookupTables } from './lookup-tables/lookup-tables.feature.ts';
import { openMachines } from './machines/machines.feature.ts';
import { openMail } from './mail/mail.feature.ts';
import { openMcp } from './mcp/mcp.feature.ts';
import { openMembers } from './members/members.feature.ts';
import { openMetadata } from './metadata/metadata.feature.ts';
import type { Metrics } from './metrics/metrics.ts';
import { openMfa } from './mfa/mfa.feature.ts';
import { openNotifications } from './notifications/notifications.feature.ts';
import type { PackSources } from './packs/packs.service.ts';
import { openPasskeys } from './passkeys/passkeys.feature.ts';
import { openPhotos } from './photos/photos.feature.ts';
import { openPlants } from './plants/plants.feature.ts';
import { openPlugins } from './plugins/plugins.feature.ts';
import { openPrometheus } from './prometheus/prometheus.feature.ts';
import { openRegistry } from './registry/registry.feature.ts';
import { openRoles } from './roles/roles.feature.ts';
import { openSchedules } from './schedules/schedules.feature.ts';
import { openSearches } from './searches/searches.feature.ts';
import { openSeal } from './secrets/sealed.ts';
import { openSecurityServices } from './security-services/security-services.feature.ts';
import { openSessions } from './sessions/sessions.feature.ts';
import { openSettings } from './settings/settings.feature.ts';
import { openShards } from './shards/shards.feature.ts';
import { openShells } from './shells/shells.feature.ts';
import type { Sockets } from './sockets/sockets.server.ts';
import { openStepUp } from './step-up/step-up.feature.ts';
import { openStoreChecks } from './store-checks/store-checks.feature.ts';
import { openSupport } from './support/support.feature.ts';
import { openTelemetry } from './telemetry/telemetry.feature.ts';
import { openTrends } from './trends/trends.feature.ts';
import { openTunnels } from './tunnels/tunnels.feature.ts';
import { openTwins } from './twins/twins.feature.ts';
import { openUpgrades } from './upgrades/upgrades.feature.ts';
import { openUserAdmin } from './user-admin/user-admin.feature.ts';
import { openUsers } from './users/users.feature.ts';
import { openVersions } from './versions/versions.feature.ts';
import { openWatches } from './watches/watches.feature.ts';
import { openWebhooks } from './webhooks/webhooks.feature.ts';
import { openWorkgroupAdmin } from './workgroup-admin/workgroup-admin.feature.ts';
import { openWorkgroupRequests } from './workgroup-requests/workgroup-requests.feature.ts';
import { openWorkgroups } from './workgroups/workgroups.feature.ts';

export type Features = Awaited<ReturnType<typeof openFeatures>>;

interface Base extends Engines {
  config: Config;
  bus: Bus;
  sockets: Sockets;
  metrics: Metrics;
  packSources: PackSources | undefined;
  ingestLimits: Partial<IngestLimits> | undefined;
  publicUrl: () => string;
  log: Logger;
}

/** All features, each after those that it needs. */
export async function openFeatures(house: House, base: Base) {
  await house.open({ name: 'engines', service: null, checks: engineChecks(base) });

  // What is kept of devices and of people, and who may know of it.
  const registry = await house.open(openRegistry(base));
  const telemetry = await house.open(openTelemetry({ ...base, registry }));
  const audit = await house.open(openAudit({ ...base, telemetry, registry }));
  const { users, accountAudit, staff } = await house.open(openUsers({ ...base, audit }));
  const attempts = await house.open(openAttempts(base));
  const enabledAddons = new EnabledAddons();
  const history = await house.open(openHistory({ ...base, enabledAddons }));
  const workgroups = await house.open(openWorkgroups({ ...base, audit, history, enabledAddons }));
  const deviceGroups = await house.open(openDeviceGroups({ ...base, registry, audit }));
  const { sessions, tickets } = await house.open(
    openSessions({ ...base, users, attempts, audit, accountAudit }),
  );

  // Accounts, and what people do with one another.
  const branding = await house.open(openBranding({ ...base, workgroups, audit }));
  const seal = await openSeal(base);
  const mailer = await house.open(openMail({ ...base, attempts, branding, seal }));
  const settings = await house.open(openSettings({ ...base, accountAudit }));
  const person = {
    ...base,
    users,
    sessions,
    settings,
    mailer,
    audit,
    accountAudit,
    attempts,
    staff,
    workgroups,
  };
  const { accounts, profiles } = await house.open(openAccounts(person));
  const mfa = await house.open(openMfa({ ...person, seal }));
  const passkeys = await house.open(openPasskeys({ ...person, accounts }));
  const stepUp = await house.open(openStepUp({ ...person, accounts, mfa, passkeys }));
  const singleSignOn = await house.open(openIdentityProviders({ ...person, seal }));
  const { members, invites } = await house.open(openMembers({ ...person, ...singleSignOn, deviceGroups }));
  const apiTokens = await house.open(openApiTokens({ ...person, deviceGroups }));
  const accessControl = await house.open(openAccessControl({ ...base, members, apiTokens, audit }));
  const roles = await house.open(openRoles({ ...base, accessControl, audit }));
  const workgroupRequests = await house.open(openWorkgroupRequests({ ...person, accounts, invites }));
  const support = await house.open(openSupport(person));
  const lookupTables = await house.open(openLookupTables({ ...base, audit }));
  await house.open(openInstallation(base));
  await house.open(openFormulae({ ...base, audit, telemetry }));
  const announcements = await house.open(openAnnouncements({ ...base, audit }));

  // Devices, and what they send. Whoever hears of it is there before the first message is taken.
  const certificates = await house.open(openCertificates(base));
  const enrolment = await house.open(openEnrolment(base));
  const ledger = await house.open(openCompleteness({ ...base, telemetry }));
  const forecasts = await house.open(openForecastTables({ ...base, audit }));
  const deviceLink = await house.open(openDeviceLink({ ...base, certificates, registry }));
  const device = { ...base, registry, deviceGroups, certificates, enrolment, telemetry, ledger, deviceLink };
  const health = await house.open(openHealth({ ...device, audit }));
  const liveFeeds = await house.open(openLiveFeeds(device));
  const demo = await house.open(openDemo({ ...device, health }));
  const deviceAsks = await house.open(openDeviceAsks({ ...device, health }));
  const twins = await house.open(openTwins({ ...device, deviceAsks, health, audit }));
  const deviceConfigs = await house.open(openDeviceConfig({ ...base, deviceAsks, twins, audit }));
  const approvals = await house.open(openApprovals({ ...person, registry, members, deviceGroups, stepUp }));
  const shells = await house.open(openShells({ ...base, stepUp, deviceAsks, approvals, health, audit }));
  const tunnelDoor = await house.open(
    openTunnels({ ...device, deviceAsks, approvals, stepUp, shells, sessions, workgroups, health, audit }),
  );
  const devices = await house.open(openDevices({ ...device, ...liveFeeds, health, audit }));
  await house.open(openMetadata({ ...base, registry, devices, deviceGroups, workgroups, audit }));
  await house.open(openLabelling({ ...base, registry, devices }));
  const cloudDevices = await house.open(openCloudDevices({ ...device, devices, health, seal, audit }));
  const isOpen = (name: string): boolean => !workgroups.isSuspended(name);
  const deviceIdentity = await house.open(
    openDeviceIdentity({ ...device, deviceAsks, devices, health, isOpen, audit }),
  );
  const upgrades = await house.open(openUpgrades({ ...device, deviceAsks, devices, health, audit }));
  const photos = await house.open(openPhotos({ ...device, deviceAsks, workgroups, audit }));
  const fieldRoles = await house.open(openFieldRoles({ ...base, telemetry, audit }));
  const machines = await house.open(openMachines({ ...base, audit, history }));
  const { entities, entityStreams } = await house.open(
    openEntities({ ...base, registry, accessControl, fieldRoles, machines, audit, history }),
  );
  const { boards, answers } = await house.open(
    openBoards({ ...base, audit, telemetry, accessControl, entities, history }),
  );
  await house.open(
    openCommissioning({ ...device, deviceAsks, fieldRoles, entities, boards, workgroups, audit }),
  );
  const kpis = await house.open(openKpis({ ...base, telemetry, entities, entityStreams, audit, history }));
  const plants = await house.open(openPlants({ ...base, telemetry, registry, roles: fieldRoles }));
  const incidents = await house.open(openIncidents({ ...base, telemetry, registry, workgroups, audit }));
  const { alerts, engine: alertEngine } = await house.open(
    openAlerts({
      ...base,
      telemetry,
      registry,
      health,
      entities,
      plants,
      roles: fieldRoles,
      incidents,
      members,
      workgroups,
      history,
      audit,
    }),
  );
  const following = await house.open(openWatches({ ...base, registry, entities, audit }));
  const notifications = await house.open(
    openNotifications({ ...person, seal, members, deviceGroups, incidents, watches: following }),
  );
  alerts.addCheck((workgroup, { notify }) => notifications.setup.demandTargets(workgroup, notify));
  notifications.setup.addUser((...of) => alerts.nameOfUser(...of));
  following.addKind('rule', async ({ workgroup }, id) => {
    const rule = await alerts.find(workgroup, id);
    return rule?.content.name ?? null;
  });
  await house.open(openTrends({ telemetry, roles: fieldRoles }));
  const latestValues = await house.open(openLatestValues({ telemetry }));
  const shown = { boards, answers, latestValues, kpis, entities, entityStreams, machines, lookupTables };
  const displays = await house.open(openDisplays({ ...person, ...shown, deviceGroups }));
  await house.open(openPrometheus({ telemetry, registry }));
  await house.open(openMcp({ telemetry, devices }));
  const lookups = lookupTables;
  await house.open(
    openExternalSources({ ...base, registry, devices, telemetry, forecasts, lookups, seal, audit }),
  );
  const shards = await house.open(openShards(base));
  const ingest = await house.open(openIngest({ ...device, forecasts, shards }));

  // The staff's.
  const diagnostics = await house.open(openDiagnostics({ ...base, audit, findings: () => house.findings }));
  await house.open(openDeadJobs({ ...base, audit }));
  const storeChecks = await house.open(openStoreChecks({ ...base, telemetry, photos, audit }));
  const longActions = await house.open(openLongActions(base));
  const calculations = await house.open(
    openCalculations({
      ...base,
      telemetry,
      entities,
      entityStreams,
      machines,
      kpis,
      workgroups,
      longActions,
      audit,
      history,
    }),
  );
  const energy = await house.open(
    openEnergy({
      ...base,
      telemetry,
      roles: fieldRoles,
      entities,
      registry,
      workgroups,
      longActions,
      history,
      mailer,
      audit,
    }),
  );
  await house.open(openGlance({ plants, incidents, energy, workgroups }));
  const asCode = await house.open(openAsCode({ ...base, history, registry, workgroups, audit }));
  await house.open(openDeviceFiles({ ...base, deviceAsks, approvals, shells, audit }));
  const discovery = await house.open(openDiscovery({ ...device, deviceAsks, longActions, health, audit }));
  const securityServices = await house.open(
    openSecurityServices({ ...device, deviceAsks, discovery, workgroups, health, audit }),
  );
  const deviceCommands = await house.open(
    openDeviceCommands({ ...base, ...liveFeeds, accessControl, longActions, health, audit }),
  );
  const deviceBackups = await house.open(
    openDeviceBackups({ ...device, seal, deviceAsks, deviceCommands, twins, shells, health, audit }),
  );
  const plugins = await house.open(
    openPlugins({ ...device, deviceAsks, longActions, health, deviceBackups, audit }),
  );
  const bulkActions = await house.open(
    openBulkActions({
      ...device,
      ...liveFeeds,
      deviceAsks,
      deviceCommands,
      deviceConfigs,
      deviceIdentity,
      devices,
      plugins,
      upgrades,
      health,
      roles: fieldRoles,
      audit,
    }),
  );
  const schedules = await house.open(
    openSchedules({
      ...person,
      ...device,
      deviceAsks,
      longActions,
      plants,
      roles: fieldRoles,
      members,
      apiTokens,
      stepUp,
      health,
      audit,
    }),
  );
  alertEngine.followCurtailment((...of) => schedules.control.curtailed(...of));
  energy.followCurtailment((...of) => schedules.control.curtailedTimes(...of));
  const searches = await house.open(
    openSearches({ ...person, registry, telemetry, deviceGroups, longActions }),
  );
  const webhooks = await house.open(
    openWebhooks({ ...person, seal, registry, telemetry, incidents, searches, energy, members }),
  );
  const storage = await house.open(
    openDataTables({ ...base, telemetry, forecasts, audit, longActions, workgroups }),
  );
  const historyImports = await house.open(
    openHistoryImports({ ...base, registry, telemetry, ledger, forecasts, longActions, audit, storage }),
  );
  await house.open(openVersions({ ...device, health }));
  await house.open(openUserAdmin({ ...person, accounts }));
  await house.open(openBackups({ ...base, freeze: base.telemetryEngine.freeze }));
  const workgroupAdmin = await house.open(
    openWorkgroupAdmin({ ...base, house, audit, longActions, storage }),
  );

  return {
    accessControl,
    accounts,
    alertEngine,
    alerts,
    announcements,
    apiTokens,
    asCode,
    attempts,
    audit,
    boards,
    kpis,
    branding,
    bulkActions,
    calculations,
    certificates,
    cloudDevices,
    demo,
    deviceAsks,
    deviceGroups,
    deviceLink,
    devices,
    diagnostics,
    displays,
    energy,
    enrolment,
    entities,
    entityStreams,
    following,
    health,
    historyImports,
    incidents,
    ingest,
    invites,
    ledger,
    longActions,
    machines,
    mailer,
    members,
    mfa,
    notifications,
    passkeys,
    photos,
    plants,
    profiles,
    registry,
    roles,
    schedules,
    searches,
    securityServices,
    sessions,
    settings,
    shells,
    storeChecks,
    support,
    telemetry,
    tickets,
    tunnelDoor,
    upgrades,
    users,
    webhooks,
    workgroupAdmin,
    workgroupRequests,
    workgroups,
    ...liveFeeds,
    ...singleSignOn,
  };
}
