import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import { OutboundQuota } from '../outbound/outbound.quota.ts';
import { OutsideFetch } from '../outbound/outside-fetch.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { BrokerFollowers } from './broker-followers.ts';
import { externalSourcesFindings } from './external-sources.findings.ts';
import { lookJob, pullJob } from './external-sources.jobs.ts';
import { externalSourcesRoutes } from './external-sources.routes.ts';
import { ExternalSources, type ExternalSourcesOptions } from './external-sources.service.ts';
import { ExternalSourcesStore } from './external-sources.store.ts';
import { externalSourcesPart } from './external-sources.tables.ts';
import { HeardWriter } from './heard-writer.ts';

/** Data that comes without an agent. */
export function openExternalSources(
  of: Omit<ExternalSourcesOptions, 'store' | 'gate' | 'quota' | 'tell' | 'hurry'> & {
    postgres: Postgres;
    config: Config;
    sockets: Sockets;
    jobs: Jobs;
    log: Logger;
    publicUrl: () => string;
  },
): Feature<ExternalSources> {
  const { postgres, config, sockets, publicUrl, log } = of;
  const store = new ExternalSourcesStore(postgres);
  const gate = new OutsideFetch({
    publicUrl,
    networks: config.outboundNetworks,
    hosts: config.outboundHosts,
    timeoutMs: 30_000,
    maxBytes: 20_000_000,
  });
  const sources = new ExternalSources({
    ...of,
    store,
    gate,
    quota: new OutboundQuota(),
    tell: sockets.tellList,
    // Where another process follows the brokers, it looks by itself.
    hurry: () => void (follows && followers.hurry()),
  });
  const followers = new BrokerFollowers({
    store,
    gate,
    writer: new HeardWriter(of),
    secretOf: (row) => sources.secretOf(row),
    tell: sockets.tellList,
    log,
    // Embedded records belong to one process.
    isAlone: postgres.engine === 'pglite',
  });
  const follows = config.roles.has('jobs');
  const pulling = pullJob(sources);
  return {
    name: 'external-sources',
    service: sources,
    workgroupPart: { tables: externalSourcesPart },
    findings: [externalSourcesFindings(store)],
    routes: (app) => externalSourcesRoutes(app, sources),
    jobs: (jobs) => {
      jobs.add(pulling);
      jobs.add(lookJob({ store, jobs: of.jobs, pulling }));
    },
    start: async () => {
      if (follows) await followers.start();
    },
    stop: async () => {
      await followers.stop();
      await gate.stop();
    },
  };
}
