import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { z } from 'zod';
import { type Bus, hear } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import type { Incidents } from '../incidents/incidents.service.ts';
import { incidentsChanged } from '../incidents/incidents.topics.ts';
import type { StepListener } from '../incidents/steps.topics.ts';
import { defineJob } from '../jobs/job.ts';
import { mailEnded } from '../mail/mail.topics.ts';
import { failureMails } from '../outbound/failure-mails.ts';
import { OutboundQuota } from '../outbound/outbound.quota.ts';
import { OutsideFetch } from '../outbound/outside-fetch.ts';
import { keepSecret, type SecretsHome } from '../secrets/secrets.ts';
import type { Settings } from '../settings/settings.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Watches } from '../watches/watches.service.ts';
import { Announcer, type AnnouncerOptions } from './announcer.service.ts';
import { Deliveries } from './deliveries.service.ts';
import { stepListener } from './listener.ts';
import { notificationsFindings } from './notifications.findings.ts';
import { CHANNELS_PAGE } from './notifications.mails.ts';
import { notificationsRoutes } from './notifications.routes.ts';
import { notificationsPart } from './notifications.tables.ts';
import { notificationsDelivered } from './notifications.topics.ts';
import { Push, type VapidKeys } from './push.service.ts';
import { PushStore } from './push.store.ts';
import { NotificationSetup, type SetupOptions } from './setup.service.ts';
import { SetupStore } from './setup.store.ts';
import { ToldStore } from './told.store.ts';

/** What other features use of it. */
export interface Notifications {
  /** Hears of steps of incidents, inside the transaction that writes them. */
  listener: StepListener;
  setup: NotificationSetup;
  announcer: Announcer;
  deliveries: Deliveries;
  push: Push;
}

interface Parts
  extends SecretsHome,
    Pick<AnnouncerOptions, 'jobs' | 'members' | 'deviceGroups' | 'workgroups'>,
    Pick<SetupOptions, 'audit' | 'seal'> {
  postgres: Postgres;
  config: Config;
  bus: Bus;
  sockets: Sockets;
  mailer: AnnouncerOptions['mailer'] & SetupOptions['mailer'];
  settings: Settings;
  attempts: AnnouncerOptions['attempts'];
  watches: Watches;
  incidents: Pick<Incidents, 'onSteps' | 'told'>;
  publicUrl: () => string;
  log: Logger;
}

/** Tells people and programs of incidents. */
export function openNotifications(of: Parts): Feature<Notifications> {
  const { postgres, config, bus, sockets, settings, publicUrl, watches } = of;
  const now = () => Date.now();
  const gate = new OutsideFetch({
    publicUrl,
    networks: config.outboundNetworks,
    hosts: config.outboundHosts,
    timeoutMs: 10_000,
  });
  const setupStore = new SetupStore(postgres);
  const store = new ToldStore(postgres);
  const shared = { ...of, setup: setupStore, store, gate, quota: new OutboundQuota(), now };
  const complain = failureMails(of, CHANNELS_PAGE);
  const deliveries = new Deliveries({ ...shared, tell: sockets.tellList, complain });
  let keys: Promise<VapidKeys> | undefined;
  const push = new Push({
    ...shared,
    store: new PushStore(postgres),
    keys: () => {
      keys ??= vapidKeys(of);
      return keys;
    },
  });
  const setup = new NotificationSetup({ ...shared, deliveries, tell: sockets.tellList });
  const announcer = new Announcer({ ...shared, deliveries, push });
  const beating = defineJob({
    name: 'notify-heartbeat',
    payload: z.object({}),
    limitS: 300,
    retry: { times: 0, afterS: 1, atMostS: 1 },
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { cron: '* * * * *', zone: 'UTC', payload: {} },
    run: () => setup.beat(),
  });
  const listener = stepListener({
    store,
    hand: (...handed) => announcer.hand(...handed),
    hasFollowers: (workgroup, inside) => watches.isThereAny(workgroup, inside),
  });
  of.incidents.onSteps(listener);
  return {
    name: 'notifications',
    service: { listener, setup, announcer, deliveries, push },
    workgroupPart: { tables: notificationsPart },
    findings: notificationsFindings({ setup: setupStore, store }),
    hears: [
      hear(mailEnded, (ended) => tellDelivered(bus, ended)),
      hear(notificationsDelivered, ({ workgroup, incident, channel: text, error }, { isOwn }) =>
        isOwn ? of.incidents.told(workgroup, incident, { text, error }) : undefined,
      ),
      // The transaction holds: what it handed over can be taken.
      hear(incidentsChanged, (_, { isOwn }) => {
        if (isOwn) of.jobs.wake(announcer.announcing);
      }),
    ],
    routes: (app) => notificationsRoutes(app, { setup, push, settings }),
    jobs: (jobs) => {
      jobs.add(announcer.announcing);
      jobs.add(announcer.looking);
      jobs.add(deliveries.job);
      jobs.add(push.job);
      jobs.add(beating);
    },
    stop: () => gate.stop(),
  };
}

const REFERENCE = z.object({ incident: z.uuid(), to: z.string() });

/** Mails of incidents say in their reference what they are about. */
function tellDelivered(
  bus: Bus,
  { workgroup, reference, error }: { workgroup: string; reference: string; error: string | null },
): void {
  let read: unknown;
  try {
    read = JSON.parse(reference);
  } catch {
    // A reference of another feature.
    return;
  }
  const about = REFERENCE.safeParse(read);
  if (!about.success) return;
  const { incident, to: channel } = about.data;
  void bus.publish(notificationsDelivered, { workgroup, incident, channel, ok: error === null, error });
}

/** Made once for an installation: browsers are subscribed to them. */
async function vapidKeys(home: SecretsHome): Promise<VapidKeys> {
  const make = async () => JSON.stringify((await import('web-push')).default.generateVAPIDKeys());
  return JSON.parse(await keepSecret(home, 'secrets/push', make)) as VapidKeys;
}
