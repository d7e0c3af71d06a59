import { searchQuery } from '@albedo/contract/telemetry/search.schema';
import { twinsApi } from '@albedo/contract/twins/twins.api';
import { CONNECTION_DAYS } from '@albedo/contract/twins/twins.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { actorOf } from '../access/actor.ts';
import { AUDIT_STREAM, type Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import { deviceRemoved } from '../devices/devices.topics.ts';
import type { Health } from '../health/health.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { statusSaid } from '../ingest/ingest.topics.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { Twins } from './twins.service.ts';
import { TwinsStore } from './twins.store.ts';
import { twinsPart } from './twins.tables.ts';

const DAY_MS = 86_400_000;

/** What devices should have, and what they have; and how well they are connected. */
export function openTwins(of: {
  postgres: Postgres;
  deviceAsks: DeviceAsks;
  health: Health;
  telemetry: Telemetry;
  audit: Audit;
  bus: Bus;
  log: Logger;
}): Feature<Twins> {
  const { postgres, telemetry, audit } = of;
  const twins = new Twins({ ...of, store: new TwinsStore(postgres) });
  return {
    name: 'twins',
    service: twins,
    workgroupPart: { tables: twinsPart },
    hears: [
      hear(statusSaid, ({ device, message }) => twins.heard(device, message.configHash)),
      hear(deviceRemoved, ({ id }) => twins.forget(id)),
    ],
    routes: (app) =>
      bind(app, twinsApi, {
        get: ({ params }) => twins.get(params.device),
        setDesired: async (call) => {
          const { device } = call.params;
          const by = actorOf(call);
          const { desired: before } = await twins.get(device);
          const twin = await twins.setDesired(device, call.body.text, by.email);
          audit.record({
            ...{ workgroup: call.workgroup, device, at: Date.now(), controller: 'device_config' },
            ...{ entity: 'twin', action: 'update', attribute: 'desired sha256' },
            ...{ oldValue: before?.hash ?? null, newValue: twin.desired?.hash ?? null },
            ...{ by: by.email, address: by.address },
          });
          return twin;
        },
        connection: async ({ workgroup, params: { device }, signal }) => {
          const now = Date.now();
          const lost = [
            { field: 'device', operator: '=', value: device },
            { field: 'controller', operator: '=', value: 'state_change' },
            { field: 'action', operator: '=', value: 'offline' },
          ];
          const query = searchQuery.parse({
            filters: lost,
            timeframe: { from: now - CONNECTION_DAYS * DAY_MS, to: now },
            sort: '-event_time',
            rows: 1,
          });
          const reader = telemetry.asSystem('connection quality', workgroup);
          const { records, totalRecords } = await reader.search(AUDIT_STREAM.table, query, signal);
          const lastDropAt = records[0]?.event_time;
          return {
            days: CONNECTION_DAYS,
            drops: totalRecords,
            lastDropAt: lastDropAt === undefined ? null : new Date(lastDropAt as string | number).getTime(),
          };
        },
      }),
  };
}
