import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { tunnelsApi } from '@albedo/contract/tunnels/tunnels.api';
import type { Postgres } from '@albedo/postgres/postgres';
import { actorOf } from '../access/actor.ts';
import { signedIn } from '../access/signed-in.ts';
import { hear } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { remoteAccessEnded } from '../shells/shells.topics.ts';
import { RemoteWeb } from './remote-web.ts';
import { TunnelDoor } from './tunnel-door.ts';
import { Tunnels, type TunnelsOptions } from './tunnels.service.ts';
import { TunnelsStore } from './tunnels.store.ts';
import { tunnelsPart } from './tunnels.tables.ts';
import { tunnelEnded } from './tunnels.topics.ts';

const CLIENT = join(import.meta.dirname, 'tunnel-client.ts');

/** Ways into the networks of devices: for programs, and for the pages of machines. */
export function openTunnels(
  of: Omit<TunnelsOptions, 'store' | 'pageUrl'> & {
    postgres: Postgres;
    config: Pick<Config, 'remoteWebHost'>;
    publicUrl: () => string;
  },
): Feature<TunnelDoor> {
  const { postgres, publicUrl } = of;
  const { remoteWebHost } = of.config;
  const pageUrl = (label: string, token: string): string | null => {
    if (remoteWebHost === null) return null;
    const { protocol, port } = new URL(publicUrl());
    return `${protocol}//${label}.${remoteWebHost}${port ? `:${port}` : ''}/.albedo/enter/${token}`;
  };
  const tunnels = new Tunnels({ ...of, store: new TunnelsStore(postgres), pageUrl });
  const web = remoteWebHost === null ? null : new RemoteWeb(tunnels, { host: remoteWebHost, publicUrl });
  let client: Promise<Buffer> | null = null;
  return {
    name: 'tunnels',
    service: new TunnelDoor(tunnels, web),
    workgroupPart: { tables: tunnelsPart },
    hears: [
      hear(remoteAccessEnded, ({ workgroup }) => tunnels.endAll(workgroup)),
      hear(tunnelEnded, ({ id }) => tunnels.cut(id)),
    ],
    metrics: (metrics) =>
      metrics.gauge('albedo_tunnel_connections', 'Connections that run through tunnels.', () => tunnels.size),
    routes: (app) =>
      bind(app, tunnelsApi, {
        open: (call) => {
          const { workgroup, params, body, request } = call;
          const by = { workgroup, deviceId: params.device, session: signedIn(call), address: request.ip };
          return tunnels.open(by, body);
        },
        list: ({ workgroup, params }) => tunnels.list(workgroup, params.device),
        close: (call) => {
          const { workgroup, params } = call;
          return tunnels.close({ workgroup, deviceId: params.device }, params.tunnel, actorOf(call));
        },
        client: async ({ reply }) => {
          client ??= readFile(CLIENT, 'utf8').then((text) => Buffer.from(stripTypeScriptTypes(text)));
          reply.header('content-disposition', 'attachment; filename="albedo-tunnel.mjs"');
          return client;
        },
      }),
    start: () => tunnels.start(),
    stop: () => tunnels.stop(),
  };
}
