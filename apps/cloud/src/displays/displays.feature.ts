import { displaysApi } from '@albedo/contract/displays/displays.api';
import type { Postgres } from '@albedo/postgres/postgres';
import { callerOf } from '../access/caller.ts';
import type { DisplayCaller } from '../access/guard.ts';
import { managerOf } from '../access/manager.ts';
import { AppError } from '../errors/app-error.ts';
import type { Feature } from '../house/feature.ts';
import { bind, type Call } from '../http/bind.ts';
import { Displays, type DisplaysOptions } from './displays.service.ts';
import { DisplaysStore } from './displays.store.ts';
import { displaysPart } from './displays.tables.ts';

/** Screens on walls, which show dashboards by a link. */
export function openDisplays(of: Omit<DisplaysOptions, 'store'> & { postgres: Postgres }): Feature<Displays> {
  const displays = new Displays({ ...of, store: new DisplaysStore(of.postgres) });
  return {
    name: 'displays',
    service: displays,
    workgroupPart: { tables: displaysPart },
    routes: (app) =>
      bind(
        app,
        displaysApi,
        {
          list: ({ workgroup }) => displays.list(workgroup),
          create: (call) => displays.create(callerOf(call), call.body, managerOf(call)),
          revoke: async (call) => {
            await displays.revoke(call.workgroup, call.params.display, managerOf(call));
            return {};
          },
          show: (call) => displays.show(displayOf(call)),
          answers: (call) => displays.answers(displayOf(call), call.body.questions, call.signal),
          kpi: (call) => displays.kpi(displayOf(call), call.body, call.signal),
          kpiRows: (call) => displays.kpiRows(displayOf(call), call.body, call.signal),
          latest: (call) => displays.latest(displayOf(call), call.body.streams, call.signal),
        },
        // Many points pass through no schema on their way out; a test holds the replies to theirs.
        { trusted: ['answers', 'latest', 'kpi', 'kpiRows'] },
      ),
  };
}

function displayOf({ request }: Pick<Call, 'request'>): DisplayCaller {
  if (!request.display) throw new AppError('request.unauthorized');
  return request.display;
}
