import { commissioningApi } from '@albedo/contract/commissioning/commissioning.api';
import type { Postgres } from '@albedo/postgres/postgres';
import { callerOf } from '../access/caller.ts';
import { managerOf } from '../access/manager.ts';
import type { Feature } from '../house/feature.ts';
import { bind, type Call } from '../http/bind.ts';
import { Commissioning, type CommissioningOptions, type Installer } from './commissioning.service.ts';
import { CommissioningStore } from './commissioning.store.ts';
import { commissioningPart } from './commissioning.tables.ts';

/** How plants come to the screen: what their devices find, read and mean. */
export function openCommissioning(
  of: Omit<CommissioningOptions, 'store'> & { postgres: Postgres },
): Feature<Commissioning> {
  const commissioning = new Commissioning({ ...of, store: new CommissioningStore(of.postgres) });
  const installerOf = (call: Pick<Call, 'workgroup' | 'scope' | 'session' | 'request'>): Installer => ({
    ...callerOf(call),
    by: managerOf(call),
  });
  return {
    name: 'commissioning',
    service: commissioning,
    workgroupPart: { tables: commissioningPart },
    routes: (app) =>
      bind(app, commissioningApi, {
        list: (call) => commissioning.list(installerOf(call)),
        begin: (call) => commissioning.begin(installerOf(call), call.body.device),
        get: (call) => commissioning.get(installerOf(call), call.params.commissioning),
        save: (call) => commissioning.save(installerOf(call), call.params.commissioning, call.body),
        discard: async (call) => {
          await commissioning.discard(installerOf(call), call.params.commissioning);
          return {};
        },
        preview: (call) => commissioning.preview(installerOf(call), call.params.commissioning, call.signal),
        read: (call) => commissioning.read(installerOf(call), call.params.commissioning, call.signal),
        build: (call) => {
          const installer = installerOf(call);
          const demandDevice = (device: string) => app.guard.device(call.workgroup, device, call.scope);
          const editor = { ...installer, demandDevice };
          return commissioning.build(installer, call.params.commissioning, editor, call.body.language);
        },
      }),
  };
}
