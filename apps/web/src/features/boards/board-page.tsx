import type { StoredBoard } from '@albedo/contract/boards/boards.schema';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { Button, Skeleton } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { boardsQuery } from '../../app/boards-query.ts';
import { entityWorldQuery, type KnownWorld } from '../../app/entity-world-query.ts';
import { zoneOf } from '../../app/entity-zone.ts';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { TimeRangePicker } from '../../ui/time-range/time-range-picker.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { BoardGrid } from './board-grid.tsx';
import { BoardMenu } from './board-menu.tsx';
import { BoardStage } from './board-stage.tsx';
import classes from './boards.module.css';
import { boardQuery, defaultBoard } from './boards.queries.ts';
import { Kiosk } from './displays/kiosk.tsx';
import { PrintedBoard } from './print/printed-board.tsx';
import { entitiesOf } from './shown-entities.ts';
import { useBoardTime } from './use-board-time.ts';
import { useVariablesOfAddress } from './use-variables-of-address.ts';

/** Loaded where something can be chosen: most dashboards have no variables, and show one entity. */
const EntityPicker = lazy(async () => ({ default: (await import('./entity-picker.tsx')).EntityPicker }));
const VariableBar = lazy(async () => ({ default: (await import('./variable-bar.tsx')).VariableBar }));

/** The dashboards: the one of the address, or the default. It stays while its entity is swapped. */
export function BoardPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { board: named } = useParams({ strict: false }) as { board?: string };
  const list = useQuery(boardsQuery(wg));
  const id = named ?? (list.data && defaultBoard(list.data)?._id);
  const board = useQuery({ ...boardQuery(wg, id ?? ''), enabled: id !== undefined });
  const world = useQuery({ ...entityWorldQuery(wg), enabled: id !== undefined });
  const { error, refetch } = [list, board, world].find((one) => one.error && !one.data) ?? { error: null };
  if (error)
    return (
      <Page title={t('boards.title')}>
        <ErrorState title={t('boards.failed')} error={error} onRetry={() => void refetch?.()} />
      </Page>
    );
  if (list.data?.length === 0 && named === undefined) return <NoBoards />;
  if (!board.data || !world.data || (board.isPlaceholderData && board.data._id !== id))
    return <BoardSkeleton />;
  return (
    <>
      <Shown key={board.data._id} wg={wg} stored={board.data} world={world.data} />
      <Outlet />
    </>
  );
}

function NoBoards() {
  const { t } = useTranslation();
  const canConfigure = usePermission('coordinate');
  return (
    <Page title={t('boards.title')}>
      {canConfigure ? (
        <EmptyState title={t('boards.none')} text={t('boards.noneText')}>
          <Button component={Link} to="/admin/entities/dashboards">
            {t('boards.configure')}
          </Button>
        </EmptyState>
      ) : (
        <EmptyState title={t('boards.none')} text={t('boards.noneAsk')} />
      )}
    </Page>
  );
}

function BoardSkeleton() {
  const { t } = useTranslation();
  return (
    <Page title={<Skeleton height={26} width={220} />}>
      <div role="status" aria-label={t('states.loading')} className={classes.skeleton}>
        {[0, 1, 2, 3].map((one) => (
          <Skeleton key={one} height={124} />
        ))}
        <Skeleton height={340} className={classes.half} />
        <Skeleton height={340} className={classes.half} />
      </div>
    </Page>
  );
}

const NONE: readonly Entity[] = [];

function Shown({ wg, stored, world }: { wg: string; stored: StoredBoard; world: KnownWorld }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { entity: named } = useParams({ strict: false }) as { entity?: string };
  const { _id, name, type, board, may } = stored;
  // There is no room for its button; it stands in the menu.
  const isNarrow = useIsNarrow();
  const [time, setTime] = useBoardTime(board);
  const variables = useVariablesOfAddress();
  const choices = useMemo(() => entitiesOf(stored, world), [stored, world]);
  const chosen =
    choices.find(({ _id: id }) => id === named) ?? (named === undefined ? choices[0] : undefined);
  const canChoose = type === 'label';
  const swap = useCallback(
    (entity: string) =>
      void navigate({
        to: '/entities/dash3/$board/$entity',
        params: { board: _id, entity },
        search: ((old: object) => old) as never,
        resetScroll: false,
      }),
    [navigate, _id],
  );
  const lists = useQuery(boardsQuery(wg)).data;
  const openEntity = useCallback(
    (id: string) => {
      if (canChoose && choices.some((one) => one._id === id)) return swap(id);
      const own = lists?.find((one) => one.type === 'entity' && one.typeId === id);
      const labels = world.byId.get(id)?.labels ?? [];
      const ofLabel = lists?.find((one) => one.type === 'label' && labels.includes(one.typeId));
      if (own) void navigate({ to: '/entities/dash3/$board', params: { board: own._id } });
      else if (ofLabel)
        void navigate({ to: '/entities/dash3/$board/$entity', params: { board: ofLabel._id, entity: id } });
    },
    [canChoose, choices, swap, lists, world, navigate],
  );
  return (
    <Page
      title={name}
      context={
        canChoose ? (
          <Suspense fallback={chosen?.name}>
            <EntityPicker choices={choices} world={world} value={chosen?._id ?? null} onChange={swap} />
          </Suspense>
        ) : (
          (chosen?.name ?? null)
        )
      }
      actions={
        <>
          <TimeRangePicker
            value={time}
            onChange={setTime}
            deviceZone={chosen ? zoneOf(world, chosen._id) : null}
            collectedNote={t('boards.siteTimeNote')}
            onRefresh={() => {
              for (const what of ['board-answer', 'kpi-answers', 'kpi-rows'])
                void client.invalidateQueries({ queryKey: [what] });
            }}
          />
          <BoardMenu stored={stored} entityId={chosen?._id ?? null} hasEdit={isNarrow} />
          {may.includes('edit') && !isNarrow ? (
            <Button
              component={Link}
              to={`/entities/dash3-edit/${_id}`}
              variant="default"
              leftSection={<IconPencil size={16} />}
            >
              {t('boards.edit')}
            </Button>
          ) : null}
        </>
      }
    >
      {!chosen ? (
        <EmptyState
          title={t(canChoose ? 'boards.noEntities' : 'boards.entityGone')}
          text={t(canChoose ? 'boards.noEntitiesText' : 'boards.entityGoneText')}
        />
      ) : board.items.length === 0 ? (
        <EmptyState title={t('boards.emptyBoard')} text={t('boards.emptyBoardText')} />
      ) : (
        <BoardStage
          wg={wg}
          world={world}
          entityId={chosen._id}
          time={time}
          onTime={setTime}
          onEntity={openEntity}
          variables={board.variables}
          choices={variables}
        >
          {board.variables && board.variables.length > 0 ? (
            <Suspense>
              <VariableBar variables={board.variables} />
            </Suspense>
          ) : null}
          <PrintedBoard name={name} variables={board.variables}>
            <Kiosk name={name} choices={canChoose ? choices : NONE} onEntity={swap}>
              <BoardGrid items={board.items} />
            </Kiosk>
          </PrintedBoard>
        </BoardStage>
      )}
    </Page>
  );
}
