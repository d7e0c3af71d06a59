import { isDeepStrictEqual } from 'node:util';
import { isBound } from '@albedo/contract/access/access';
import { holds, scopeIn } from '@albedo/contract/access/permissions';
import { ALL_RESOURCES } from '@albedo/contract/access/resources';
import { everyItem } from '@albedo/contract/boards/board-items';
import {
  type Board,
  type BoardHead,
  type ChangedBoard,
  type NewBoard,
  type StoredBoard,
  withThisVersion,
} from '@albedo/contract/boards/boards.schema';
import type { EntityUse } from '@albedo/contract/entities/entities.schema';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import type { Actor } from '../access/actor.ts';
import type { Caller } from '../access/caller.ts';
import type { AccessControl } from '../access-control/access-control.service.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import type { Entities } from '../entities/entities.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import type { History, Save } from '../history/history.service.ts';
import type { TellList } from '../sockets/lists.ts';
import type { BoardRow, BoardsStore } from './boards.store.ts';
import type { WidgetLibrary } from './widget-library.service.ts';

export interface BoardsOptions {
  store: BoardsStore;
  library: Pick<WidgetLibrary, 'shown' | 'linked'>;
  audit: Audit;
  tell: TellList;
  accessControl: AccessControl;
  entities: Pick<Entities, 'isSeen' | 'named'>;
  history: Pick<History, 'keep' | 'next' | 'saving'>;
}

/** Dashboards of entities and labels. */
export class Boards {
  readonly #options: BoardsOptions;

  constructor(options: BoardsOptions) {
    this.#options = options;
  }

  /** Those that the rules let the caller view, of entities that exist for them. */
  async list(viewer: Caller): Promise<BoardHead[]> {
    const rows = await this.#rows(viewer);
    const heads = await Promise.all(rows.map((row) => this.#head(row, viewer)));
    return heads.filter(({ may }) => may.includes('view'));
  }

  /** Throws `board.not_found`. */
  async get(viewer: Caller, id: string): Promise<StoredBoard> {
    return this.#stored(await this.#board(viewer, id), viewer);
  }

  /**
   * Throws `board.too_many`, `board.id_taken`, and `request.invalid` for an entity that is not there. A label needs none: it
   * may be given to the first entity later.
   */
  async create(caller: Caller, wanted: NewBoard, by: Actor): Promise<StoredBoard> {
    const { type, typeId } = wanted;
    if (type === 'entity' && !(await this.#options.entities.isSeen(caller, typeId)))
      throw invalid('issue.board_entity', {}, 'typeId');
    return this.#stored(await this.add(caller.workgroup, wanted, by), caller);
  }

  /** As `create`, for what runs without a caller. */
  async add(workgroup: string, given: NewBoard, by: Actor): Promise<BoardRow> {
    const { store, history, library } = this.#options;
    const wanted = { ...given, board: await library.linked(workgroup, given.board as Board) } as NewBoard;
    const { boards: count } = WORKGROUP_LIMITS;
    if ((await store.count(workgroup)) >= count) throw new AppError('board.too_many', { count });
    // One that was deleted comes back as its next version.
    const version =
      wanted._id === undefined ? 1 : await history.next({ workgroup, kind: 'dashboard', id: wanted._id });
    const row = await store.add(workgroup, wanted, { by: by.email, version });
    if (!row) throw new AppError('board.id_taken');
    await this.#keep(saveOf(row), by, row);
    this.#changed(row, by, { action: 'create', newValue: textOf(row) });
    return row;
  }

  /**
   * Replaces a generated board with its current version, unless it is the same, somebody else has saved it since, or it is
   * gone. The board is found by its name and its subject. For code that runs without a caller.
   */
  async renew(workgroup: string, wanted: NewBoard, by: Actor): Promise<void> {
    const { store, history } = this.#options;
    const saved = (await store.list(workgroup)).find(
      ({ type, typeId, name }) => type === wanted.type && typeId === wanted.typeId && name === wanted.name,
    );
    if (!saved || saved.updatedBy !== by.email || isDeepStrictEqual(saved.board, plainly(wanted.board)))
      return;
    await history.saving({ workgroup, kind: 'dashboard', id: saved.id }, async () => {
      const after = await store.set(workgroup, saved.id, { ...wanted, version: saved.version }, by.email);
      if (!after) return;
      await this.#keep({ ...saveOf(after), before: saveOf(saved) }, by, after);
      this.#changed(after, by, { action: 'update', oldValue: textOf(saved), newValue: textOf(after) });
    });
  }

  /** Throws `board.not_found`, `board.changed`. */
  update(viewer: Caller, id: string, given: ChangedBoard, by: Actor): Promise<StoredBoard> {
    const thing = { workgroup: viewer.workgroup, kind: 'dashboard', id } as const;
    return this.#options.history.saving(thing, () => this.#save(viewer, id, given, by));
  }

  async #save(viewer: Caller, id: string, given: ChangedBoard, by: Actor): Promise<StoredBoard> {
    const { workgroup } = viewer;
    const board = await this.#options.library.linked(workgroup, given.board as Board);
    const wanted = { ...given, board } as ChangedBoard;
    const before = await this.#board(viewer, id);
    const after = await this.#options.store.set(workgroup, id, wanted, by.email);
    if (!after) {
      const { version: newest } = await this.#board(viewer, id);
      throw new AppError('board.changed', { yours: wanted.version, newest });
    }
    await this.#keep({ ...saveOf(after), before: saveOf(before) }, by, after);
    this.#changed(after, by, { action: 'update', oldValue: textOf(before), newValue: textOf(after) });
    return this.#stored(after, viewer);
  }

  /** Throws `board.not_found`. */
  async remove(viewer: Caller, id: string, by: Actor): Promise<void> {
    const row = await this.#board(viewer, id);
    if (!(await this.#options.store.remove(viewer.workgroup, id))) throw new AppError('board.not_found');
    const old = saveOf(row);
    await this.#keep({ ...old, content: null, version: old.version + 1, before: old }, by, row);
    this.#changed(row, by, { action: 'delete', oldValue: textOf(row) });
  }

  async #board(viewer: Caller, id: string): Promise<BoardRow> {
    const row = await this.#find(viewer, id);
    if (!row) throw new AppError('board.not_found');
    return row;
  }

  async #find(viewer: Caller, id: string): Promise<BoardRow | undefined> {
    const row = await this.#options.store.find(viewer.workgroup, id);
    const [seen] = row ? await this.#ofSeen(viewer, [row]) : [];
    return seen;
  }

  async #rows(viewer: Caller): Promise<BoardRow[]> {
    return this.#ofSeen(viewer, await this.#options.store.list(viewer.workgroup));
  }

  /** Without those of entities that do not exist for the caller. */
  async #ofSeen(viewer: Caller, rows: BoardRow[]): Promise<BoardRow[]> {
    if (rows.every(({ type }) => type !== 'entity')) return rows;
    const isNamed = await this.#options.entities.named(viewer);
    return isNamed ? rows.filter(({ type, typeId }) => type !== 'entity' || isNamed(typeId)) : rows;
  }

  /** One that was saved before versions were kept comes with the next save. */
  #keep(save: Save, by: Pick<Actor, 'email'>, { workgroup }: BoardRow): Promise<void> {
    return this.#options.history.keep({ workgroup, kind: 'dashboard', by }, [save]);
  }

  /** All that the rules let the caller view, with what they show. */
  async whole(viewer: Caller): Promise<StoredBoard[]> {
    const rows = await this.#rows(viewer);
    const all = await Promise.all(rows.map((row) => this.#stored(row, viewer)));
    return all.filter(({ may }) => may.includes('view'));
  }

  /** Those that are there and that the caller may not view, by their ids. */
  async hidden(viewer: Caller): Promise<ReadonlySet<string>> {
    const seen = new Set((await this.list(viewer)).map(({ _id }) => _id));
    const rows = await this.#options.store.list(viewer.workgroup);
    return new Set(rows.map(({ id }) => id).filter((id) => !seen.has(id)));
  }

  /** What the caller may do with one; null where there is none. */
  async mayOf(viewer: Caller, id: string): Promise<BoardHead['may'] | null> {
    const row = await this.#find(viewer, id);
    return row ? (await this.#head(row, viewer)).may : null;
  }

  /** Throws `access.denied`. */
  async demandCreate({ session, workgroup }: Caller): Promise<void> {
    const { accessControl } = this.#options;
    if (!(await accessControl.allows(session, workgroup, 'Dashboard', ALL_RESOURCES, 'create')))
      throw new AppError('access.denied', { action: 'create', resource: 'dashboards' });
  }

  /** The dashboards of entities, by what they show: nothing any more once those are deleted. */
  async usesOf(workgroup: string, entities: ReadonlySet<string>): Promise<EntityUse[]> {
    const rows = await this.#options.store.list(workgroup);
    return rows.flatMap(({ id, name, type, typeId }) =>
      type === 'entity' && entities.has(typeId) ? [{ kind: 'dashboard', id, name }] : [],
    );
  }

  async #stored(row: BoardRow, viewer: Caller): Promise<StoredBoard> {
    const board = await this.#options.library.shown(row.workgroup, row.board);
    const items = withThisVersion(board.items);
    return { ...(await this.#head(row, viewer)), board: { ...board, items } };
  }

  async #head(row: BoardRow, { workgroup, session }: Caller): Promise<BoardHead> {
    const scope = scopeIn(session, workgroup);
    const canChange = scope !== undefined && holds(scope, 'coordinate') && !isBound(scope);
    const allows = (action: 'view' | 'edit' | 'delete') =>
      this.#options.accessControl.allows(session, workgroup, 'Dashboard', row.id, action);
    const [view, edit, remove] = await Promise.all([allows('view'), allows('edit'), allows('delete')]);
    return {
      _id: row.id,
      type: row.type,
      typeId: row.typeId,
      name: row.name,
      version: row.version,
      widgets: everyItem(row.board.items).length,
      updatedAt: row.updatedAt.getTime(),
      updatedBy: row.updatedBy,
      may: [
        ...(view ? (['view'] as const) : []),
        ...(edit && canChange ? (['edit'] as const) : []),
        ...(remove && canChange ? (['delete'] as const) : []),
      ],
    };
  }

  #changed(
    { workgroup, id, name }: BoardRow,
    { email, address }: Actor,
    what: Pick<AuditEntry, 'action' | 'oldValue' | 'newValue'>,
  ): void {
    const entry = { workgroup, at: Date.now(), controller: 'dashboard', entity: `${name} (${id})` };
    this.#options.audit.record({ ...entry, attribute: 'record', by: email, address, ...what });
    this.#options.tell('entity-dashboards', workgroup);
  }
}

/** The board as the database returns it. */
const plainly = (board: NewBoard['board']): unknown => JSON.parse(JSON.stringify(board));

/** Without its widgets, which may be hundreds. */
const textOf = ({ type, typeId, name, version, board }: BoardRow): string =>
  JSON.stringify({ type, typeId, name, version, widgets: everyItem(board.items).length });

/** A save of a dashboard as it is kept. */
const saveOf = ({ id, type, typeId, name, board, version }: BoardRow) => ({
  ...{ id, version, name },
  content: { type, typeId, name, board },
});
