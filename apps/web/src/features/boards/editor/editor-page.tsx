import { BOARD_FORMAT } from '@albedo/contract/boards/board-items';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { entityWorldQuery } from '../../../app/entity-world-query.ts';
import { useLabels } from '../../../app/labels.ts';
import { useWorkgroup } from '../../../app/session.ts';
import { Page } from '../../../ui/page.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { type BoardDraft, boardQuery, draftOf } from '../boards.queries.ts';
import { EditorScreen } from './editor-screen.tsx';

/** Edits the board of the address; without one, a new board: of the entity or label of the address, or a copy of another. */
export function EditorPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { id } = useParams({ strict: false }) as { id?: string };
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const copyId = typeof search.copyId === 'string' ? search.copyId : undefined;
  const source = id ?? copyId;
  const board = useQuery({ ...boardQuery(wg, source ?? ''), enabled: source !== undefined });
  const world = useQuery(entityWorldQuery(wg));
  const labels = useLabels();
  const type = search.type === 'entity' || search.type === 'label' ? search.type : undefined;
  const of = typeof search.id === 'string' ? search.id : undefined;
  const fresh = useMemo((): BoardDraft | null => {
    if (!world.data) return null;
    const kind = type ?? (of !== undefined || labels.length === 0 ? 'entity' : 'label');
    const typeId = of ?? (kind === 'entity' ? world.data.entities[0]?._id : labels[0]?.id) ?? '';
    const name =
      kind === 'entity' ? world.data.byId.get(typeId)?.name : labels.find((one) => one.id === typeId)?.name;
    return { type: kind, typeId, name: name ?? '', board: { format: BOARD_FORMAT, items: [] } };
  }, [world.data, labels, type, of]);
  const loaded = useMemo((): BoardDraft | null => {
    if (source === undefined) return fresh;
    if (!board.data || board.data._id !== source) return null;
    const draft = draftOf(board.data);
    if (id !== undefined) return draft;
    return {
      ...draft,
      ...(type ? { type } : {}),
      ...(of === undefined ? {} : { typeId: of }),
      name: t('boards.copyOf', { name: draft.name }),
    };
  }, [source, fresh, board.data, id, type, of, t]);
  const title = t(id === undefined ? 'boards.newBoard' : 'boards.editBoard');
  const error = board.error ?? world.error;
  if (error && (!loaded || !world.data))
    return (
      <Page title={title}>
        <ErrorState
          title={t('boards.failed')}
          error={error}
          onRetry={() => void Promise.all([board.refetch(), world.refetch()])}
        />
      </Page>
    );
  if (!loaded || !world.data)
    return (
      <Page title={title}>
        <Skeleton height={420} />
      </Page>
    );
  // Two new boards, such as copies of two others, have drafts of their own.
  const draftName = id ?? ['new', copyId, type, of].filter((one) => one !== undefined).join(' ');
  return (
    <EditorScreen
      key={draftName}
      wg={wg}
      id={id ?? null}
      draftName={draftName}
      loaded={loaded}
      version={id === undefined ? undefined : board.data?.version}
      world={world.data}
    />
  );
}
