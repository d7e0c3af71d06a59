import { type BoardItem, everyItem } from '@albedo/contract/boards/board-items';
import type { Board } from '@albedo/contract/boards/boards.schema';
import type {
  ChangedLibraryWidget,
  LibraryItem,
  LibraryWidget,
  NewLibraryWidget,
} from '@albedo/contract/boards/widget-library.schema';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import type { Actor } from '../access/actor.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { TellList } from '../sockets/lists.ts';
import type { BoardsStore } from './boards.store.ts';
import type { LibraryRow, WidgetLibraryStore } from './widget-library.store.ts';

export interface WidgetLibraryOptions {
  store: WidgetLibraryStore;
  boards: Pick<BoardsStore, 'list'>;
  audit: Audit;
  tell: TellList;
}

/** Widgets that several dashboards show. A dashboard keeps where one stands, and the library what it is. */
export class WidgetLibrary {
  readonly #options: WidgetLibraryOptions;

  constructor(options: WidgetLibraryOptions) {
    this.#options = options;
  }

  async list(workgroup: string): Promise<LibraryWidget[]> {
    const { store } = this.#options;
    const [rows, uses] = await Promise.all([store.list(workgroup), this.#uses(workgroup)]);
    return rows.map((row) => told(row, uses.get(row.id) ?? 0));
  }

  /** Throws `library_widget.too_many`. */
  async create(workgroup: string, wanted: NewLibraryWidget, by: Actor): Promise<LibraryWidget> {
    const { store } = this.#options;
    const { libraryWidgets: count } = WORKGROUP_LIMITS;
    if ((await store.count(workgroup)) >= count) throw new AppError('library_widget.too_many', { count });
    const row = await store.add(workgroup, wanted, by.email);
    this.#changed(row, by, { action: 'create', newValue: textOf(row) });
    return told(row, 0);
  }

  /** Throws `library_widget.not_found`, `library_widget.changed`. */
  async update(
    workgroup: string,
    id: string,
    wanted: ChangedLibraryWidget,
    by: Actor,
  ): Promise<LibraryWidget> {
    const { store } = this.#options;
    const before = await this.#widget(workgroup, id);
    const after = await store.set(workgroup, id, wanted, by.email);
    if (!after) {
      const { name } = await this.#widget(workgroup, id);
      throw new AppError('library_widget.changed', { name });
    }
    this.#changed(after, by, { action: 'update', oldValue: textOf(before), newValue: textOf(after) });
    return told(after, (await this.#uses(workgroup)).get(id) ?? 0);
  }

  /** Throws `library_widget.not_found`, `library_widget.used`. */
  async remove(workgroup: string, id: string, by: Actor): Promise<void> {
    const row = await this.#widget(workgroup, id);
    const count = (await this.#uses(workgroup)).get(id) ?? 0;
    if (count > 0) throw new AppError('library_widget.used', { count });
    if (!(await this.#options.store.remove(workgroup, id))) throw new AppError('library_widget.not_found');
    this.#changed(row, by, { action: 'delete', oldValue: textOf(row) });
  }

  /** A board with what the library says of its widgets now. */
  async shown(workgroup: string, board: Board): Promise<Board> {
    const kept = await this.#linkedIn(workgroup, board);
    if (kept.size === 0) return board;
    return withItems(board, (item) => {
      const row = kept.get(item.library ?? '');
      return row ? withContent(item, row.item) : item;
    });
  }

  /** A board as it is saved: links into a library that has no such widget, as that of another workgroup, are left out. */
  async linked(workgroup: string, board: Board): Promise<Board> {
    if (!everyItem(board.items).some(({ library }) => library !== undefined)) return board;
    const kept = await this.#linkedIn(workgroup, board);
    return withItems(board, ({ library, ...item }) =>
      library !== undefined && kept.has(library) ? { ...item, library } : item,
    );
  }

  async #linkedIn(workgroup: string, { items }: Board): Promise<Map<string, LibraryRow>> {
    const ids = new Set(everyItem(items).flatMap(({ library }) => library ?? []));
    if (ids.size === 0) return new Map();
    const rows = await this.#options.store.some(workgroup, [...ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** How many dashboards show each widget. */
  async #uses(workgroup: string): Promise<Map<string, number>> {
    const uses = new Map<string, number>();
    for (const { board } of await this.#options.boards.list(workgroup))
      for (const id of new Set(everyItem(board.items).flatMap(({ library }) => library ?? [])))
        uses.set(id, (uses.get(id) ?? 0) + 1);
    return uses;
  }

  async #widget(workgroup: string, id: string): Promise<LibraryRow> {
    const [row] = await this.#options.store.some(workgroup, [id]);
    if (!row) throw new AppError('library_widget.not_found');
    return row;
  }

  #changed(
    { workgroup, id, name }: LibraryRow,
    { email, address }: Actor,
    what: Pick<AuditEntry, 'action' | 'oldValue' | 'newValue'>,
  ): void {
    const entry = { workgroup, at: Date.now(), controller: 'library-widget', entity: `${name} (${id})` };
    this.#options.audit.record({ ...entry, attribute: 'record', by: email, address, ...what });
    // Every dashboard that shows it is another one now.
    this.#options.tell('entity-dashboards', workgroup);
  }
}

const told = (
  { id, name, item, version, updatedAt, updatedBy }: LibraryRow,
  boards: number,
): LibraryWidget => ({
  ...{ _id: id, name, item, version, boards, updatedBy },
  updatedAt: updatedAt.getTime(),
});

const textOf = ({ name, item: { kind }, version }: LibraryRow): string =>
  JSON.stringify({ name, kind, version });

function withItems(board: Board, change: (item: BoardItem) => BoardItem): Board {
  const all = (items: readonly BoardItem[]): BoardItem[] =>
    items.map((item) => change(item.items ? { ...item, items: all(item.items) } : item));
  return { ...board, items: all(board.items) };
}

/** The widget of a board keeps its id, its place and its entity; all else is that of the library. */
const withContent = ({ id, place, entity, library }: BoardItem, content: LibraryItem): BoardItem => ({
  id,
  ...content,
  ...(place && { place }),
  ...(entity !== undefined && { entity }),
  library,
});
