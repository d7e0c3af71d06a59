import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import type { Audit } from '../audit/audit.service.ts';
import { hear } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import type { Energy } from '../energy/energy.service.ts';
import { deviceStateChanged } from '../health/health.topics.ts';
import type { Feature } from '../house/feature.ts';
import type { Incidents } from '../incidents/incidents.service.ts';
import { incidentsChanged } from '../incidents/incidents.topics.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { Mailer } from '../mail/mail.service.ts';
import type { Members } from '../members/members.service.ts';
import { failureMails } from '../outbound/failure-mails.ts';
import { OutboundQuota } from '../outbound/outbound.quota.ts';
import { OutsideFetch } from '../outbound/outside-fetch.ts';
import { WebhookCalls } from '../outbound/webhook-calls.ts';
import { pluginChanged } from '../plugins/plugins.topics.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Schedules } from '../searches/schedules.service.ts';
import type { Seal } from '../secrets/sealed.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { configApplied } from '../twins/twins.topics.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { ofIncident } from './webhook-data.ts';
import { WebhookEvents } from './webhook-events.service.ts';
import { WebhookQueue } from './webhook-queue.service.ts';
import { WebhookRows } from './webhook-rows.ts';
import { webhooksFindings } from './webhooks.findings.ts';
import { WEBHOOKS_PAGE } from './webhooks.mails.ts';
import { webhooksRoutes } from './webhooks.routes.ts';
import { CALLS_AN_HOUR, Webhooks } from './webhooks.service.ts';
import { WebhooksStore } from './webhooks.store.ts';
import { webhooksPart } from './webhooks.tables.ts';

/** What other features and tests use. */
export interface WebhooksOf {
  webhooks: Webhooks;
  events: WebhookEvents;
  queue: WebhookQueue;
  rows: WebhookRows;
}

interface Parts {
  postgres: Postgres;
  config: Config;
  jobs: Jobs;
  sockets: Sockets;
  seal: Seal;
  audit: Audit;
  telemetry: Telemetry;
  registry: DeviceRegistry;
  incidents: Pick<Incidents, 'onSteps'>;
  searches: Pick<Schedules, 'onMailed'>;
  energy: Pick<Energy, 'onExtracts'>;
  members: Pick<Members, 'list'>;
  mailer: Pick<Mailer, 'send'>;
  settings: Pick<Settings, 'languageOfAddress'>;
  workgroups: Pick<Workgroups, 'get' | 'isSuspended'>;
  publicUrl: () => string;
  log: Logger;
}

/** Tells programs elsewhere what happens in a workgroup. */
export function openWebhooks(of: Parts): Feature<WebhooksOf> {
  const { config, publicUrl, registry, workgroups, sockets } = of;
  const now = () => Date.now();
  const isOpen = (workgroup: string) => !workgroups.isSuspended(workgroup);
  const store = new WebhooksStore(of.postgres);
  const gate = new OutsideFetch({
    publicUrl,
    networks: config.outboundNetworks,
    hosts: config.outboundHosts,
    timeoutMs: 10_000,
  });
  const calls = new WebhookCalls({ gate, quota: new OutboundQuota(CALLS_AN_HOUR), now });
  const tell = sockets.tellList;
  const shared = { ...of, store, now, isOpen, tell };
  const queue = new WebhookQueue({ ...shared, calls, complain: failureMails(of, WEBHOOKS_PAGE) });
  const wake = (workgroup: string) => queue.look(workgroup);
  const events = new WebhookEvents({ ...shared, wake });
  const rows = new WebhookRows({ ...shared, wake });
  const webhooks = new Webhooks({ ...shared, queue, gate });

  of.incidents.onSteps(async (workgroup, steps, inside) => {
    const happenings = steps.flatMap((step) => ofIncident(step, publicUrl()) ?? []);
    if (happenings.length > 0) await events.write(workgroup, happenings, inside);
  });
  // The queue finds these messages within a minute.
  of.searches.onMailed((workgroup, { search, name, records, dueAt }, inside) => {
    const data = { kind: 'search', name, records, link: `${publicUrl()}/search/${search}` };
    return events.write(workgroup, [{ event: 'report.ready', at: dueAt, data }], inside);
  });
  of.energy.onExtracts((workgroup, { month, names }, inside) => {
    const data = { kind: 'energy', name: month, files: names, link: `${publicUrl()}/report` };
    return events.write(workgroup, [{ event: 'report.ready', at: now(), data }], inside);
  });
  const device = (id: string) => ({ device: id, deviceName: registry.known(id)?.name ?? null });
  return {
    name: 'webhooks',
    service: { webhooks, events, queue, rows },
    workgroupPart: { tables: webhooksPart },
    findings: webhooksFindings({ store }),
    routes: (app) => webhooksRoutes(app, webhooks),
    jobs: (jobs) => {
      jobs.add(queue.sending);
      jobs.add(queue.looking);
      jobs.add(rows.looking);
    },
    hears: [
      // The transaction is committed: its messages can be sent.
      hear(incidentsChanged, ({ workgroup }, { isOwn }) => (isOwn ? wake(workgroup) : undefined)),
      hear(deviceStateChanged, ({ workgroup, deviceId, online, at }) => {
        const event = online ? 'device.online' : 'device.offline';
        events.tell(workgroup, { event, at, data: device(deviceId) });
      }),
      hear(configApplied, ({ device: id, hash, by, at }) => {
        const workgroup = registry.known(id)?.workgroup;
        if (workgroup === undefined) return;
        const data = { ...device(id), sha256: hash, by };
        events.tell(workgroup, { event: 'device.configured', at, data });
      }),
      hear(pluginChanged, ({ workgroup, device: id, plugin, action, activity, by, at }) => {
        const data = { ...device(id), plugin, action, activity, by };
        events.tell(workgroup, { event: 'service.configured', at, data });
      }),
    ],
    stop: async () => {
      await events.stop();
      await gate.stop();
    },
  };
}
