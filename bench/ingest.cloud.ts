/** The cloud of the ingest bench in a process of its own: `node bench/ingest.cloud.ts <folder> <agents>`. */
import { join } from 'node:path';
import { readConfig } from '@albedo/cloud/config/config';
import { startCloud } from '@albedo/cloud/start';
import { pino } from 'pino';
import type { AgentIdentity, FromCloud } from './ingest.messages.ts';

const [folder = '', count = '1000'] = process.argv.slice(2);
const tell = (message: FromCloud) => process.send?.(message);

const config = readConfig({ ALBEDO_PORT: '0', ALBEDO_MQTT_PORT: '0', ALBEDO_DATA: join(folder, 'data') });
const cloud = await startCloud(config, pino({ level: 'warn' }, pino.destination(2)));
const { workgroups, devices, certificates } = cloud.features;
await workgroups.ensure({ name: 'bench', displayName: 'Bench' });
const agents: AgentIdentity[] = [];
for (let at = 0; at < Number(count); at++) {
  const { id } = await devices.create('bench', { name: `Agent ${at}`, arch: 'amd64', ced: false }, null);
  agents.push({ id, ...(await certificates.issue(id, 'bench')) });
}
tell({ kind: 'ready', port: cloud.mqttPort ?? 0, url: cloud.url, caPem: certificates.caPem, agents });

const timer = setInterval(() => {
  const { heapUsed, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  tell({
    kind: 'memory',
    heapMb: heapUsed / 2 ** 20,
    rssMb: rss / 2 ** 20,
    cpuSeconds: (user + system) / 1e6,
  });
}, 1000);

process.on('message', async (order: 'count' | 'stop') => {
  if (order === 'count') {
    const query = {
      filters: [],
      filterOperator: 'AND' as const,
      scroll: false,
      timezone: 'UTC',
      dateField: 'event_time',
      sort: '-event_time',
      rows: 0,
      aggs: [],
    };
    const { totalRecords } = await cloud.features.telemetry
      .asSystem('export', 'bench')
      .search('solar', query);
    tell({ kind: 'counted', events: totalRecords });
    return;
  }
  clearInterval(timer);
  await cloud.stop();
  process.disconnect();
});
