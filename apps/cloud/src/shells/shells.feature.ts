import { shellsApi } from '@albedo/contract/shells/shells.api';
import { shellsEvents } from '@albedo/contract/shells/shells.socket';
import type { Postgres } from '@albedo/postgres/postgres';
import { managerOf } from '../access/manager.ts';
import { signedIn } from '../access/signed-in.ts';
import type { Approvals } from '../approvals/approvals.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import { type Bus, hear } from '../bus/bus.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import type { Health } from '../health/health.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { StepUp } from '../step-up/step-up.service.ts';
import { Shells } from './shells.service.ts';
import { ShellsStore } from './shells.store.ts';
import { shellsPart } from './shells.tables.ts';
import { remoteAccessEnded } from './shells.topics.ts';

/** Remote shells on devices, and the switch that ends and forbids all remote access. */
export function openShells(of: {
  postgres: Postgres;
  stepUp: StepUp;
  deviceAsks: DeviceAsks;
  approvals: Approvals;
  health: Health;
  audit: Audit;
  sockets: Sockets;
  bus: Bus;
}): Feature<Shells> {
  const { postgres, health, sockets } = of;
  const teller = sockets.teller(shellsEvents, { 'remoteAccess:changed': 'everyone' });
  const shells = new Shells({
    ...of,
    store: new ShellsStore(postgres),
    isOnline: (device) => health.of(device).online,
    tell: (workgroup, access) => teller.emit(workgroup, 'remoteAccess:changed', access),
  });
  return {
    name: 'shells',
    service: shells,
    workgroupPart: { tables: shellsPart },
    start: () => shells.start(),
    stop: () => shells.stop(),
    hears: [hear(remoteAccessEnded, ({ workgroup }) => shells.endAll(workgroup))],
    routes: (app) =>
      bind(app, shellsApi, {
        open: (call) => shells.open(byOf(call)),
        list: ({ workgroup, params }) => shells.list(workgroup, params.device),
        recording: (call) => shells.recording(byOf(call), call.params.shell),
        rule: ({ workgroup }) => shells.rule(workgroup),
        setRule: (call) => shells.setRule(call.workgroup, call.body.factor, managerOf(call)),
        access: ({ workgroup }) => shells.access(workgroup),
        setAccess: (call) => shells.setAccess(call.workgroup, call.body.isAllowed, managerOf(call)),
      }),
    sockets: () => {
      sockets.on('device:shell', (call) => {
        const { request, workgroup, session, address, signal } = call;
        const by = { ...request, workgroup, session, address, signal };
        return shells.run(by, {
          // It takes keys from here on; the call has no end of its own any more.
          onReady: () => call.reply({}),
          onOutput: (bytes) => call.reply({ output: Buffer.from(bytes).toString('base64') }),
        });
      });
      sockets.on('device:shell:say', async ({ request: { shellId, keys, size, shown }, session }) => {
        const shell = shells.find(shellId, session);
        // What is typed is for the terminal as it is now.
        if (size) shell.size(size.cols, size.rows);
        if (keys) shell.keys(keys);
        if (shown) shell.shown(shown);
        return {};
      });
    },
  };
}

const byOf = (
  call: Parameters<typeof signedIn>[0] & {
    workgroup: string;
    params: { device: string };
    request: { ip: string };
  },
) => ({
  workgroup: call.workgroup,
  deviceId: call.params.device,
  session: signedIn(call),
  address: call.request.ip,
});
