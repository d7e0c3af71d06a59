import { type BoardItem, everyItem } from '@albedo/contract/boards/board-items';
import type { BoardDraft } from '../boards.queries.ts';
import { compacted } from './grid-moves.ts';

export interface Merged {
  draft: BoardDraft;
  /** Titles or ids of widgets that both changed in the same place; yours counts there. */
  conflicts: string[];
}

/**
 * What two people made of one board. What only one of them changed is taken from them; where both changed the same thing
 * of the same widget, yours counts. A widget that one deleted and the other changed stays. None stands above another.
 */
export function mergeBoards(base: BoardDraft, yours: BoardDraft, theirs: BoardDraft): Merged {
  const conflicts: string[] = [];
  const items = mergeItems(base.board.items, yours.board.items, theirs.board.items, conflicts);
  const { items: _b, ...ofBase } = base.board;
  const { items: _y, ...ofYours } = yours.board;
  const { items: _t, ...ofTheirs } = theirs.board;
  const head = mergeFields(headOf(base), headOf(yours), headOf(theirs));
  const rest = mergeFields(ofBase, ofYours, ofTheirs);
  return {
    draft: {
      ...(head.merged as unknown as BoardDraft),
      board: { ...(rest.merged as unknown as BoardDraft['board']), items },
    },
    conflicts,
  };
}

const headOf = ({ name, type, typeId }: BoardDraft) => ({ name, type, typeId });

function mergeItems(
  base: readonly BoardItem[],
  yours: readonly BoardItem[],
  theirs: readonly BoardItem[],
  conflicts: string[],
): BoardItem[] {
  const [before, other] = [byId(base), byId(theirs)];
  const mine = byId(yours);
  const merged = yours.flatMap((one): BoardItem[] => {
    const [old, their] = [before.get(one.id), other.get(one.id)];
    // They deleted it, and you left it as it was.
    if (!their) return old && isAsItWas(old, one) ? [] : [one];
    if (!old) return [one];
    return [mergeItem(old, one, their, conflicts)];
  });
  const added = theirs.filter(({ id }) => {
    if (mine.has(id)) return false;
    const [old, their] = [before.get(id), other.get(id)];
    // You deleted it; only where they changed it does it stay.
    return !old || !their || !isAsItWas(old, their);
  });
  return compacted([...merged, ...added]);
}

/** Whether nobody changed it. A widget moves by itself where another one goes, so its place does not count. */
const isAsItWas = ({ place: _p, ...old }: BoardItem, { place: _q, ...now }: BoardItem): boolean =>
  isSame(old, now);

/** What a version made of the widgets of an earlier one. */
export interface Changes {
  added: BoardItem[];
  removed: BoardItem[];
  changed: BoardItem[];
  /** Widgets of which only the place or size is another. */
  moved: BoardItem[];
  /** Whether the board itself has another name, entity, range or other variables. */
  isOfBoard: boolean;
}

export function changesOf(base: BoardDraft, draft: BoardDraft): Changes {
  const [before, now] = [everyItem(base.board.items), everyItem(draft.board.items)];
  const [old, present] = [byId(before), byId(now)];
  const own = ({ items: _items, ...one }: BoardItem): BoardItem => one;
  const kept = now.filter(({ id }) => old.has(id));
  const isChanged = (one: BoardItem) => !isAsItWas(own(old.get(one.id) ?? one), own(one));
  const { items: _b, ...ofBase } = base.board;
  const { items: _d, ...ofDraft } = draft.board;
  return {
    added: now.filter(({ id }) => !old.has(id)),
    removed: before.filter(({ id }) => !present.has(id)),
    changed: kept.filter(isChanged),
    moved: kept.filter((one) => !isChanged(one) && !isSame(old.get(one.id)?.place, one.place)),
    isOfBoard: !isSame([headOf(base), ofBase], [headOf(draft), ofDraft]),
  };
}

function mergeItem(base: BoardItem, yours: BoardItem, theirs: BoardItem, conflicts: string[]): BoardItem {
  const parts = (one: BoardItem) => {
    const { items: _items, settings: _settings, ...rest } = one;
    return rest;
  };
  const head = mergeFields(parts(base), parts(yours), parts(theirs));
  const settings = mergeFields(base.settings ?? {}, yours.settings ?? {}, theirs.settings ?? {});
  if (head.hasConflict || settings.hasConflict) conflicts.push(yours.title || yours.id);
  const inner =
    yours.items || theirs.items
      ? { items: mergeItems(base.items ?? [], yours.items ?? [], theirs.items ?? [], conflicts) }
      : {};
  const kept = Object.keys(settings.merged).length > 0 ? { settings: settings.merged } : {};
  return { ...(head.merged as unknown as BoardItem), ...kept, ...inner };
}

function mergeFields(base: object, yours: object, theirs: object) {
  const [b, y, t] = [base, yours, theirs] as Record<string, unknown>[];
  const merged: Record<string, unknown> = {};
  let hasConflict = false;
  for (const key of new Set([...Object.keys(y ?? {}), ...Object.keys(t ?? {})])) {
    const [old, mine, their] = [b?.[key], y?.[key], t?.[key]];
    const value = isSame(old, mine) ? their : mine;
    if (!isSame(old, mine) && !isSame(old, their) && !isSame(mine, their)) hasConflict = true;
    if (value !== undefined) merged[key] = value;
  }
  return { merged, hasConflict };
}

const byId = (items: readonly BoardItem[]) => new Map(items.map((one) => [one.id, one]));
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/** The order of keys means nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}
