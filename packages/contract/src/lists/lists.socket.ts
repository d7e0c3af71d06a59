import { z } from 'zod';
import { alertsApi } from '../alerts/alerts.api.ts';
import { apiTokensApi } from '../api-tokens/api-tokens.api.ts';
import { boardsApi } from '../boards/boards.api.ts';
import { calculationsApi } from '../calculations/calculations.api.ts';
import { deviceGroupsApi } from '../device-groups/device-groups.api.ts';
import { diagnosticsApi } from '../diagnostics/diagnostics.api.ts';
import { energyApi } from '../energy/energy.api.ts';
import { entitiesApi } from '../entities/entities.api.ts';
import { externalSourcesApi } from '../external-sources/external-sources.api.ts';
import { formulaeApi } from '../formulae/formulae.api.ts';
import { historyImportsApi } from '../history-imports/history-imports.api.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { jobsApi } from '../jobs/jobs.api.ts';
import { kpisApi } from '../kpis/kpis.api.ts';
import { longActionsApi } from '../long-actions/long-actions.api.ts';
import { lookupTablesApi } from '../lookup-tables/lookup-tables.api.ts';
import { machinesApi } from '../machines/machines.api.ts';
import { membersApi } from '../members/members.api.ts';
import { notificationsApi } from '../notifications/notifications.api.ts';
import { photosApi } from '../photos/photos.api.ts';
import { searchesApi } from '../searches/searches.api.ts';
import type { SocketEvents } from '../sockets/action.ts';
import { storeChecksApi } from '../store-checks/store-checks.api.ts';
import { supportApi } from '../support/support.api.ts';
import { webhooksApi } from '../webhooks/webhooks.api.ts';
import { workgroupAdminApi } from '../workgroup-admin/workgroup-admin.api.ts';
import { workgroupRequestsApi } from '../workgroup-requests/workgroup-requests.api.ts';

/** Lists that several people work on, with the endpoint that answers each. */
export const watchedLists = {
  alerts: alertsApi.list,
  suppressions: alertsApi.suppressions,
  members: membersApi.list,
  invites: membersApi.invites,
  'api-tokens': apiTokensApi.list,
  'device-groups': deviceGroupsApi.list,
  energy: energyApi.selections,
  entities: entitiesApi.list,
  machines: machinesApi.list,
  calculations: calculationsApi.list,
  kpis: kpisApi.list,
  'entity-dashboards': boardsApi.list,
  'external-sources': externalSourcesApi.list,
  formulae: formulaeApi.list,
  'history-imports': historyImportsApi.list,
  'lookup-tables': lookupTablesApi.list,
  'notify-channels': notificationsApi.channels,
  webhooks: webhooksApi.list,
  escalations: notificationsApi.escalations,
  rotas: notificationsApi.rotas,
  photos: photosApi.all,
  searches: searchesApi.list,
  tickets: supportApi.list,
  'workgroup-requests': workgroupRequestsApi.list,
  workgroups: workgroupAdminApi.list,
  'dead-jobs': jobsApi.dead,
  damages: storeChecksApi.damages,
  'browser-errors': diagnosticsApi.errors,
  /** Those of the staff; whoever began one is told by `long-action:changed`. */
  'long-actions': longActionsApi.staffList,
} as const satisfies Record<string, Endpoint>;

export type ListName = keyof typeof watchedLists;
export const listName = z.enum(Object.keys(watchedLists) as [ListName, ...ListName[]]);

export const listsEvents = {
  /** A list is another one now: ask for it again. Sent only to those who may use the endpoint of the list. */
  'list:changed': z.object({ list: listName }),
} as const satisfies SocketEvents;
