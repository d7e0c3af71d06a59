import { boardsApi } from '@albedo/contract/boards/boards.api';
import { widgetLibraryApi } from '@albedo/contract/boards/widget-library.api';
import type { Postgres } from '@albedo/postgres/postgres';
import type { Logger } from 'pino';
import { callerOf } from '../access/caller.ts';
import { managerOf } from '../access/manager.ts';
import type { AccessControl } from '../access-control/access-control.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Entities } from '../entities/entities.service.ts';
import type { History } from '../history/history.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { Answers } from './answers.service.ts';
import { boardsHistory } from './boards.history.ts';
import { Boards } from './boards.service.ts';
import { BoardsStore } from './boards.store.ts';
import { boardsPart } from './boards.tables.ts';
import { WidgetLibrary } from './widget-library.service.ts';
import { WidgetLibraryStore } from './widget-library.store.ts';

/** Dashboards of entities and labels, and the answers for their widgets. */
export function openBoards(of: {
  postgres: Postgres;
  audit: Audit;
  sockets: Sockets;
  accessControl: AccessControl;
  entities: Entities;
  telemetry: Telemetry;
  history: History;
  log: Logger;
}): Feature<{ boards: Boards; answers: Answers }> {
  const { postgres, sockets } = of;
  const store = new BoardsStore(postgres);
  const tell = sockets.tellList;
  const library = new WidgetLibrary({ ...of, store: new WidgetLibraryStore(postgres), boards: store, tell });
  const boards = new Boards({ ...of, store, library, tell });
  of.entities.addUses((workgroup, ids) => boards.usesOf(workgroup, ids));
  of.history.announce(boardsHistory(boards));
  const answers = new Answers(of);
  return {
    name: 'boards',
    service: { boards, answers },
    workgroupPart: { tables: boardsPart },
    routes: (app) => {
      bind(app, widgetLibraryApi, {
        list: (call) => library.list(call.workgroup),
        create: (call) => library.create(call.workgroup, call.body, managerOf(call)),
        update: (call) => library.update(call.workgroup, call.params.widget, call.body, managerOf(call)),
        remove: async (call) => {
          await library.remove(call.workgroup, call.params.widget, managerOf(call));
          return {};
        },
      });
      bind(
        app,
        boardsApi,
        {
          list: (call) => boards.list(callerOf(call)),
          get: (call) => boards.get(callerOf(call), call.params.board) as never,
          create: (call) => boards.create(callerOf(call), call.body, managerOf(call)) as never,
          update: (call) =>
            boards.update(callerOf(call), call.params.board, call.body, managerOf(call)) as never,
          remove: async (call) => {
            await boards.remove(callerOf(call), call.params.board, managerOf(call));
            return {};
          },
          answers: (call) => answers.all(callerOf(call), call.body.questions, call.signal),
        },
        // Many points pass through no schema on their way out; a test holds the replies to theirs.
        { trusted: ['answers'] },
      );
    },
    sockets: (all) =>
      all.on('board:ask', async ({ request, signal, reply, ...call }) => {
        await answers.tell(callerOf(call), request.questions, signal, reply);
      }),
  };
}
