import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { accessRules } from '../access-control/access-control.tables.ts';
import { gaps, ledgers, quarantine } from '../completeness/completeness.tables.ts';
import { apiTokens, apiTokenWarnings } from '../database/api-tokens.tables.ts';
import { workgroupImages } from '../database/branding.tables.ts';
import { deviceGroups } from '../database/device-groups.tables.ts';
import { certificates, devices, packTokens, savedFacts } from '../database/devices.tables.ts';
import {
  identityProviders,
  ssoAssertions,
  ssoFailures,
  ssoRequests,
  userIdentities,
} from '../database/identity-providers.tables.ts';
import { invites } from '../database/members.tables.ts';
import { roleMembers, roles } from '../database/roles.tables.ts';
import { users } from '../database/sessions.tables.ts';
import { members, workgroupAddons, workgroupSettings, workgroups } from '../database/workgroups.tables.ts';
import { longActions } from '../long-actions/long-actions.tables.ts';
import { lookupTables } from '../lookup-tables/lookup-tables.tables.ts';
import { supportFiles, supportTickets } from '../support/support.tables.ts';
import { workgroupRequests } from '../workgroup-requests/workgroup-requests.tables.ts';

/** A table that holds something of workgroups. */
export interface WorkgroupPart {
  table: PgTable;
  /** Which of its rows are those of the workgroup. */
  of: (workgroup: string) => SQL;
  /** Names of the columns that leave the house in an export, as the code calls them. */
  exported: string[];
  /** Its rows outlive the workgroup. */
  stays: boolean;
}

/** Every column has to be decided on: a new one does not compile before. */
type Decisions<T extends PgTable> = { [K in keyof T['$inferSelect']]: 'exported' | 'withheld' };

function part<T extends PgTable>(
  table: T,
  of: WorkgroupPart['of'],
  columns: Decisions<T>,
  { stays = false } = {},
): WorkgroupPart {
  const exported = Object.entries(columns).flatMap(([name, say]) => (say === 'exported' ? [name] : []));
  return { table, of, exported, stays };
}

const named = (column: PgColumn) => (workgroup: string) => sql`${column} = ${workgroup}`;

/** Rows that name a row of a table that names the workgroup. */
const under =
  (column: PgColumn, parent: PgTable & { id: PgColumn; workgroup: PgColumn }) => (workgroup: string) =>
    sql`${column} in (select ${parent.id} from ${parent} where ${parent.workgroup} = ${workgroup})`;

const yes = 'exported';
/** Opens something, or is worth nothing to anybody else. */
const no = 'withheld';

/**
 * All that workgroups have in the database, table by table, those that lean on others before them. A test holds it to
 * the tables there are.
 */
export const WORKGROUP_PARTS: readonly WorkgroupPart[] = [
  part(savedFacts, under(savedFacts.deviceId, devices), { deviceId: yes, facts: yes }),
  part(packTokens, under(packTokens.deviceId, devices), {
    tokenHash: no,
    deviceId: yes,
    expiresAt: yes,
    usedAt: yes,
  }),
  // The revocation list needs them.
  part(
    certificates,
    under(certificates.deviceId, devices),
    {
      serial: yes,
      deviceId: yes,
      subject: yes,
      fingerprintSha256: yes,
      notBefore: yes,
      notAfter: yes,
      revokedAt: yes,
    },
    { stays: true },
  ),
  part(ledgers, under(ledgers.deviceId, devices), { deviceId: yes, state: yes, savedAt: yes }),
  part(gaps, under(gaps.deviceId, devices), {
    deviceId: yes,
    from: yes,
    to: yes,
    table: yes,
    source: yes,
    cause: yes,
    events: yes,
    firstEventAt: yes,
    lastEventAt: yes,
    reportedAt: yes,
  }),
  part(quarantine, under(quarantine.deviceId, devices), {
    id: yes,
    deviceId: yes,
    receivedAt: yes,
    topic: yes,
    reason: yes,
    msgIds: yes,
    sample: yes,
  }),
  part(devices, named(devices.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    arch: yes,
    ced: yes,
    gnat: yes,
    meta: yes,
    settings: yes,
    createdAt: yes,
  }),
  part(deviceGroups, named(deviceGroups.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    composition: yes,
    createdAt: yes,
  }),
  part(accessRules, named(accessRules.workgroup), {
    id: yes,
    workgroup: yes,
    resourceType: yes,
    resourceId: yes,
    actions: yes,
    principalType: yes,
    principalId: yes,
    effect: yes,
    createdBy: yes,
    createdAt: yes,
  }),
  part(apiTokenWarnings, under(apiTokenWarnings.tokenId, apiTokens), {
    tokenId: yes,
    expiresAt: yes,
    days: yes,
    at: yes,
  }),
  part(apiTokens, named(apiTokens.workgroup), {
    id: yes,
    workgroup: yes,
    owner: yes,
    email: yes,
    expiry: yes,
    canRenew: yes,
    permissions: yes,
    devGroup: yes,
    createdBy: yes,
    createdById: yes,
    createdAt: yes,
    expiresAt: yes,
    lastUsedAt: yes,
    revokedAt: yes,
    revokedBecause: yes,
  }),
  part(roleMembers, named(roleMembers.workgroup), { roleId: yes, workgroup: yes, userId: yes }),
  part(roles, named(roles.workgroup), {
    id: yes,
    workgroup: yes,
    name: yes,
    description: yes,
    createdAt: yes,
  }),
  part(lookupTables, named(lookupTables.workgroup), {
    id: yes,
    workgroup: yes,
    code: yes,
    name: yes,
    fields: yes,
    values: yes,
    updatedAt: yes,
  }),
  part(invites, named(invites.workgroup), {
    id: yes,
    workgroup: yes,
    email: yes,
    name: yes,
    role: yes,
    permissions: yes,
    devGroup: yes,
    idpId: yes,
    tokenHash: no,
    invitedBy: yes,
    sentAt: yes,
    expiresAt: yes,
  }),
  part(ssoRequests, under(ssoRequests.idpId, identityProviders), {
    id: no,
    idpId: no,
    browserHash: no,
    nonce: no,
    codeVerifier: no,
    createdAt: no,
    expiresAt: no,
    answeredAt: no,
    userId: no,
  }),
  part(ssoFailures, under(ssoFailures.idpId, identityProviders), {
    id: no,
    idpId: yes,
    at: yes,
    reason: yes,
  }),
  part(ssoAssertions, under(ssoAssertions.idpId, identityProviders), { idpId: no, id: no, expiresAt: no }),
  part(userIdentities, under(userIdentities.idpId, identityProviders), {
    idpId: yes,
    userId: yes,
    subject: yes,
    linkedAt: yes,
  }),
  part(identityProviders, named(identityProviders.workgroup), {
    id: yes,
    workgroup: yes,
    kind: yes,
    name: yes,
    // Addresses, ids and public certificates.
    config: yes,
    secret: no,
    changedAt: yes,
    refreshedAt: yes,
    refreshTriedAt: yes,
    refreshFailure: yes,
    lastSignInAt: yes,
    lastFailureAt: yes,
    lastFailure: yes,
  }),
  part(supportFiles, under(supportFiles.ticketId, supportTickets), {
    id: yes,
    ticketId: yes,
    name: yes,
    type: yes,
    size: yes,
    key: yes,
  }),
  part(supportTickets, named(supportTickets.workgroup), {
    id: yes,
    number: yes,
    userId: yes,
    accountEmail: yes,
    workgroup: yes,
    name: yes,
    email: yes,
    url: yes,
    subject: yes,
    body: yes,
    createdAt: yes,
    closedAt: yes,
    closedBy: yes,
    assignee: yes,
  }),
  part(workgroupRequests, named(workgroupRequests.workgroup), {
    id: yes,
    request: yes,
    status: yes,
    requestedAt: yes,
    decidedAt: yes,
    decidedBy: yes,
    workgroup: yes,
  }),
  // Its bytes are a file of the export.
  part(workgroupImages, named(workgroupImages.workgroup), {
    workgroup: yes,
    kind: yes,
    type: yes,
    version: yes,
    content: no,
  }),
  part(longActions, named(longActions.workgroup), {
    id: yes,
    workgroup: yes,
    ownerId: yes,
    ownerEmail: yes,
    ownerAddress: yes,
    kind: yes,
    about: yes,
    input: yes,
    state: yes,
    progress: no,
    result: yes,
    fileName: yes,
    fileType: yes,
    fileSize: yes,
    error: yes,
    createdAt: yes,
    cancelledAt: yes,
    endedAt: yes,
    expiresAt: yes,
    linkHash: no,
    linkExpiresAt: no,
  }),
  part(workgroupAddons, named(workgroupAddons.workgroup), {
    workgroup: yes,
    id: yes,
    name: yes,
    settings: yes,
  }),
  part(workgroupSettings, named(workgroupSettings.workgroup), { workgroup: yes, key: yes, value: yes }),
  // Accounts are their people's and not the workgroup's.
  part(
    users,
    (workgroup) =>
      sql`${users.id} in (select ${members.userId} from ${members} where ${members.workgroup} = ${workgroup})`,
    {
      id: yes,
      email: yes,
      name: yes,
      company: no,
      phone: no,
      address: no,
      passwordHash: no,
      defaultWorkgroup: no,
      createdAt: no,
      sessionsValidFrom: no,
      sessionsSpared: no,
      mfaRequired: no,
      lastSignInAt: no,
    },
    { stays: true },
  ),
  part(members, named(members.workgroup), {
    workgroup: yes,
    userId: yes,
    role: yes,
    permissions: yes,
    devGroup: yes,
    deviceScopes: yes,
    mfaRequired: yes,
  }),
  part(workgroups, named(workgroups.name), {
    name: yes,
    displayName: yes,
    mfaRequired: yes,
    theme: yes,
    idpId: yes,
    plan: yes,
    suspendedAt: yes,
    createdAt: yes,
  }),
];
