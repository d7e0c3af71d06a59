import { machinesApi } from '@albedo/contract/machines/machines.api';
import type { Postgres } from '@albedo/postgres/postgres';
import { managerOf } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import type { History } from '../history/history.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { machinesHistory } from './machines.history.ts';
import { Machines } from './machines.service.ts';
import { MachinesStore } from './machines.store.ts';
import { machinesPart } from './machines.tables.ts';

/** The types of entities: makes compare by their roles. */
export function openMachines(of: {
  postgres: Postgres;
  audit: Audit;
  sockets: Sockets;
  bus: Bus;
  history: History;
}): Feature<Machines> {
  const { postgres, sockets, history } = of;
  const machines = new Machines({ ...of, store: new MachinesStore(postgres), tell: sockets.tellList });
  history.announce(machinesHistory(machines));
  return {
    name: 'machines',
    service: machines,
    workgroupPart: { tables: machinesPart },
    routes: (app) =>
      bind(app, machinesApi, {
        list: ({ workgroup }) => machines.list(workgroup),
        create: (call) => machines.create(call.workgroup, call.body, managerOf(call)),
        update: (call) => machines.update(call.workgroup, call.params.machine, call.body, managerOf(call)),
        remove: async (call) => {
          await machines.remove(call.workgroup, call.params.machine, managerOf(call));
          return {};
        },
      }),
  };
}
