import type { Postgres } from '@albedo/postgres/postgres';
import { whenHeld } from '@albedo/postgres/together';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Audit } from '../audit/audit.service.ts';
import { hear } from '../bus/bus.ts';
import type { Entities } from '../entities/entities.service.ts';
import type { FieldRoles } from '../field-roles/field-roles.service.ts';
import type { FileStore } from '../files/files.store.ts';
import type { History } from '../history/history.service.ts';
import type { Feature } from '../house/feature.ts';
import { eventsLate } from '../ingest/ingest.topics.ts';
import { defineJob } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { LongActions } from '../long-actions/long-actions.service.ts';
import type { Mailer } from '../mail/mail.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { workgroupChanged } from '../workgroups/workgroups.topics.ts';
import { energyHistory } from './energy.history.ts';
import { energyRoutes } from './energy.routes.ts';
import { Energy } from './energy.service.ts';
import { EnergyStore } from './energy.store.ts';
import { energyPart } from './energy.tables.ts';
import { ConfigsOfEnergy } from './energy-configs.service.ts';
import { EnergyConfigsStore } from './energy-configs.store.ts';
import { EnergyDaysStore } from './energy-days.store.ts';
import { monthBefore } from './energy-extracts.ts';
import { EnergyReports } from './energy-reports.service.ts';
import { EnergyReportsStore } from './energy-reports.store.ts';
import { EnergyRuns } from './energy-runs.ts';
import { MeterData } from './meter-data.service.ts';
import { MeterDataStore } from './meter-data.store.ts';

/** Late events come in many batches: so long they are gathered before anybody looks, ms. */
const GATHER_MS = 15_000;
const RETRY = { times: 3, afterS: 10, atMostS: 120 };

/** Energy of days, reports over them, their configurations, and data of meters and budgets. */
export function openEnergy(of: {
  postgres: Postgres;
  telemetry: Telemetry;
  roles: FieldRoles;
  entities: Entities;
  registry: DeviceRegistry;
  workgroups: Workgroups;
  longActions: LongActions;
  files: FileStore;
  history: History;
  mailer: Mailer;
  audit: Audit;
  sockets: Sockets;
  jobs: Jobs;
  log: Logger;
}): Feature<Energy> {
  const { postgres, telemetry, entities, registry, workgroups, longActions, sockets, jobs } = of;
  const watching = defineJob({
    name: 'energy-watch',
    payload: z.object({}),
    limitS: 900,
    retry: RETRY,
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { cron: '* * * * *', zone: 'UTC', payload: {} },
    run: ({ signal }) => runs.watch(signal),
  });
  const working = defineJob({
    name: 'energy-work',
    payload: z.object({ workgroup: z.string() }),
    limitS: 4 * 3600,
    retry: RETRY,
    oneAtATime: { key: ({ workgroup }) => workgroup, waiting: 'one' },
    sideBySide: 2,
    about: ({ workgroup }) => workgroup,
    run: ({ payload, signal }) => runs.computeDue(payload.workgroup, signal),
  });
  const extracting = defineJob({
    name: 'energy-extract',
    payload: z.object({ workgroup: z.string(), month: z.string() }),
    limitS: 1800,
    retry: RETRY,
    about: ({ workgroup, month }) => `${workgroup} ${month}`,
    run: async ({ payload: { workgroup, month }, finish }) => {
      const files = await energy.extracts(workgroup, month);
      await finish(async (inside) => {
        for (const { to, name, text } of files)
          await of.mailer.hand(
            {
              ...{ to, workgroup, subject: name.replace(/\.csv$/, '') },
              paragraphs: [`The figures of ${month} of ${workgroup} are in the file.`],
              attachments: [{ name, type: 'text/csv', content: Buffer.from(text) }],
            },
            inside,
          );
        const names = files.map(({ name }) => name);
        if (names.length > 0) await energy.extracted(workgroup, { month, names }, inside);
      });
      of.mailer.wake();
    },
  });
  /** In the afternoon of the first, when the month is over everywhere. */
  const extractingAll = defineJob({
    name: 'energy-extracts',
    payload: z.object({}),
    limitS: 600,
    retry: RETRY,
    schedule: { cron: '0 14 1 * *', zone: 'UTC', payload: {} },
    run: async () => {
      const month = monthBefore(Date.now());
      for (const workgroup of await store.workgroups())
        if (workgroups.hasAddon(workgroup, 'mppt-extract')) await jobs.send(extracting, { workgroup, month });
    },
  });
  const wake = async (afterMs = 0) =>
    void (await whenHeld(() => jobs.send(watching, {}, { after: new Date(Date.now() + afterMs) })));
  const store = new EnergyStore(postgres);
  const days = new EnergyDaysStore(postgres);
  const tell = sockets.tellList;
  const configs = new ConfigsOfEnergy({ ...of, store: new EnergyConfigsStore(postgres), tell, wake });
  const runs = new EnergyRuns({
    store: days,
    telemetry,
    log: of.log,
    workgroups: () => store.workgroups(),
    around: (workgroup, signal) => energy.around(workgroup, signal),
    curtailed: (...asked) => energy.curtailed(...asked),
    work: async (workgroup) => void (await jobs.send(working, { workgroup })),
    changed: async (workgroup) => {
      tell('energy', workgroup);
      await energy.computed(workgroup);
    },
  });
  const reports = new EnergyReports({
    store: new EnergyReportsStore(postgres),
    days,
    configs,
    registry,
    entities,
  });
  const meterData = new MeterData({
    ...of,
    store: new MeterDataStore(postgres),
    configs,
    planOf: async (workgroup) => (await energy.around(workgroup)).plan,
    tell,
  });
  const energy = new Energy({ ...of, store, days, configs, reports, runs, meterData, tell });
  of.history.announce(energyHistory(configs));
  longActions.add(energy.recomputing);
  return {
    name: 'energy',
    service: energy,
    workgroupPart: { tables: energyPart },
    jobs: (all) => {
      for (const job of [watching, working, extracting, extractingAll]) all.add(job as never);
    },
    hears: [
      hear(eventsLate, (_message, { isOwn }) => (isOwn ? wake(GATHER_MS) : undefined)),
      hear(workgroupChanged, (_message, { isOwn }) => (isOwn ? wake() : undefined)),
    ],
    routes: (app) => energyRoutes(app, { energy, meterData, files: of.files }),
  };
}
