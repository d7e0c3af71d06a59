import type { Entity } from '@albedo/contract/entities/entities.schema';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { entitiesQuery } from '../../app/entity-query.ts';
import { useWorkgroup } from '../../app/session.ts';
import { changeEntities, useLabels } from './entities.queries.ts';
import type { TreeMode, Unsaved } from './entity-tree.tsx';
import { type LabelChanges, withChanges } from './label-changes.ts';
import { TreeIndex } from './tree-rows.ts';

interface Address {
  q?: string;
  entity?: string;
  mode?: TreeMode;
}

const NONE: readonly Entity[] = [];

/** A key that comes within this time after the last one is the same search, ms. */
const TYPED_MS = 250;

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Levels that are open before somebody opens or closes one. */
const OPEN_BELOW = 40;

/** What the tree shows: search, mode and entity stand in the address, moves and labels that are not saved stay here. */
export function useEntityPage() {
  const wg = useWorkgroup();
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(entitiesQuery(wg));
  const labels = useLabels();
  const [turned, setTurned] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [moves, setMoves] = useState<ReadonlyMap<string, string | null>>(new Map());
  const [labelled, setLabelled] = useState<LabelChanges>(new Map());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const mode: TreeMode =
    search.mode === 'reorganise' || search.mode === 'bulk' ? search.mode : ('look' as const);
  const active = textIn(search.entity) || null;

  const drafted = useMemo(
    () =>
      (data ?? NONE).map((one) => {
        const own = labelled.get(one._id);
        return own ? { ...one, labels: [...own] } : one;
      }),
    [data, labelled],
  );
  const index = useMemo(
    () => new TreeIndex(drafted, moves, new Map(labels.map(({ id, name }) => [id, name]))),
    [drafted, moves, labels],
  );
  const go = useCallback(
    (part: Address) =>
      void navigate({
        to: '.',
        replace: true,
        resetScroll: false,
        search: ((old: Record<string, unknown>) => {
          const next: Record<string, unknown> = { ...old, ...part };
          return Object.fromEntries(Object.entries(next).filter(([, value]) => value && value !== 'look'));
        }) as never,
      }),
    [navigate],
  );
  const [q, type] = useTyped(textIn(search.q), go);
  const wanted = useDeferredValue(q.trim().toLowerCase());
  const open = useMemo(() => openOf(index, data ?? [], turned, active), [index, data, turned, active]);
  const rows = useMemo(() => index.rows(open, wanted), [index, open, wanted]);

  function move(ids: readonly string[], to: string | null): void {
    const next = new Map(moves);
    // What stands below another one that is moved comes along.
    const tops = ids.filter((id) => !index.above(id).some((above) => ids.includes(above)));
    for (const id of tops) {
      if ((index.byId.get(id)?.parent ?? null) === to) next.delete(id);
      else next.set(id, to);
    }
    setMoves(next);
    if (to !== null) setTurned(new Map(turned).set(to, true));
  }

  const unsaved = useMemo((): ReadonlyMap<string, Unsaved> => {
    const changed = [...labelled.keys()].map((id) => [id, 'changed'] as const);
    return new Map([...changed, ...[...moves.keys()].map((id) => [id, 'moved'] as const)]);
  }, [moves, labelled]);

  async function save(): Promise<void> {
    await changeEntities(
      wg,
      [...unsaved.keys()].map((_id) => {
        const [parent, own] = [moves.get(_id), labelled.get(_id)];
        return {
          _id,
          ...(parent === undefined ? {} : { parent }),
          ...(own === undefined ? {} : { labels: [...own] }),
        };
      }),
    );
    leave();
  }

  /** Back to looking; what was not saved is forgotten. */
  function leave(): void {
    setMoves(new Map());
    setLabelled(new Map());
    setChosen(new Set());
    go({ mode: 'look' });
  }

  return {
    wg,
    entities: data,
    error,
    refetch,
    index,
    rows,
    mode,
    q,
    type,
    wanted,
    active: active === null ? null : (index.byId.get(active) ?? null),
    unsaved,
    chosen,
    setChosen,
    canMove: (ids: readonly string[], to: string | null) => ids.every((id) => index.canMove(id, to)),
    move,
    label: (changes: LabelChanges) => setLabelled(withChanges(labelled, changes, data ?? NONE)),
    save,
    leave,
    go,
    turn: (id: string, isOpen: boolean) => setTurned(new Map(turned).set(id, isOpen)),
  };
}

/** What is looked for: at once in the field, and in the address once nobody types any more, which costs more than the search. */
function useTyped(inAddress: string, go: (part: Address) => void): [string, (text: string) => void] {
  const [text, setText] = useState(inAddress);
  const [known, setKnown] = useState(inAddress);
  const [told, setTold] = useState(inAddress);
  const tell = useDebouncedCallback((q: string) => {
    setTold(q);
    go({ q });
  }, TYPED_MS);
  if (inAddress !== known) {
    setKnown(inAddress);
    // What comes from elsewhere, such as a way back; not what was typed here, which may be longer by now.
    if (inAddress !== told) {
      setText(inAddress);
      setTold(inAddress);
    }
  }
  return [
    text,
    (next) => {
      setText(next);
      tell(next);
    },
  ];
}

/** A small tree is open, a large one shows its top; what somebody turned stays so, and the way to what is looked at is open. */
function openOf(
  index: TreeIndex,
  entities: readonly Entity[],
  turned: ReadonlyMap<string, boolean>,
  active: string | null,
): Set<string> {
  const isSmall = entities.length <= OPEN_BELOW;
  const tops = index.childrenOf(null);
  const open = new Set(
    isSmall ? entities.map(({ _id }) => _id) : tops.length === 1 ? [tops[0]?._id ?? ''] : [],
  );
  if (active !== null) for (const above of index.above(active)) open.add(above);
  for (const [id, isOpen] of turned) {
    if (isOpen) open.add(id);
    else open.delete(id);
  }
  return open;
}
