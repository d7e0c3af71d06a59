// A display opens without the shell, which has the styles of all pieces.
import '../../../app/mantine.css';
import type { Board } from '@albedo/contract/boards/boards.schema';
import type { BoardVariable } from '@albedo/contract/boards/variables.schema';
import { displaysApi } from '@albedo/contract/displays/displays.api';
import type { ShownDisplay } from '@albedo/contract/displays/displays.schema';
import { EntityWorld } from '@albedo/contract/entities/entity-streams';
import { Select } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { KnownWorld } from '../../../app/entity-world-query.ts';
import { zoneOf } from '../../../app/entity-zone.ts';
import { useNow } from '../../../app/now.ts';
import { queryClient } from '../../../app/query-client.ts';
import { Message } from '../../../ui/message.tsx';
import { PageSkeleton } from '../../../ui/page-skeleton.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { rangeFromText, type TimeRangeChoice } from '../../../ui/time-range/time-range.ts';
import { TimeRangePicker } from '../../../ui/time-range/time-range-picker.tsx';
import { resolveZone } from '../../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../../ui/time-range/zoned-time.ts';
import { agoText } from '../../../ui/units/durations.ts';
import { wordsOf } from '../../lookup-tables/lookup-tables.queries.ts';
import { askTogether } from '../asker.ts';
import type { BoardSource } from '../board-context.ts';
import { BoardGrid } from '../board-grid.tsx';
import { StageOf } from '../board-stage.tsx';
import { VariableBar } from '../variable-bar.tsx';
import { DisplayConnection } from './connection.ts';
import { displayKpis } from './display-kpis.ts';
import classes from './displays.module.css';
import { PolledValues } from './polled-values.ts';
import { useTurn } from './use-turn.ts';
import { useWall } from './use-wall.ts';

/** How often a display asks what it is to show, ms. */
const LOOK_MS = 60_000;
/** After so long without a touch the playlist goes on, ms. */
const HELD_MS = 120_000;

/** A screen on a wall: what stands behind the `#` of its address is the token of its link, which no server log sees. */
export function DisplayPage() {
  const { t } = useTranslation();
  const [token] = useState(() => tokenIn(window.location.hash));
  useWall();
  if (token === '')
    return <Message title={t('boards.display.incomplete')} text={t('boards.display.incompleteText')} />;
  return (
    <QueryClientProvider client={queryClient}>
      <Display key={token} token={token} />
    </QueryClientProvider>
  );
}

/** Empty where a part of the link was lost on the way. */
function tokenIn(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}

function Display({ token }: { token: string }) {
  const { t } = useTranslation();
  const [connection] = useState(() => new DisplayConnection(token));
  const { ended, awaySince } = useSyncExternalStore(connection.subscribe, connection.state);
  const { data, error } = useQuery({
    queryKey: ['display', token],
    queryFn: () => connection.call(displaysApi.show, {}),
    refetchInterval: LOOK_MS,
    refetchIntervalInBackground: true,
    gcTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (data) document.title = data.name;
  }, [data]);
  if (ended ?? (error && !data))
    return <Message title={t('boards.display.over')} text={ended ?? error?.message ?? ''} />;
  if (!data)
    return (
      <main className={classes.waiting}>
        <PageSkeleton />
        {awaySince === null ? null : <p role="status">{t('boards.display.unreachable')}</p>}
      </main>
    );
  return <Playlist connection={connection} display={data as never} />;
}

function Playlist({ connection, display }: { connection: DisplayConnection; display: ShownDisplay }) {
  const { t, i18n } = useTranslation();
  const { name, pages, intervalS, order, free } = display;
  const steps = useMemo(
    () => pages.flatMap((page) => page.entities.map((entity) => ({ page, entity }))),
    [pages],
  );
  const [held, setHeld] = useHeld();
  const [at, show] = useTurn(steps.length, { intervalS, isRandom: order === 'random', isHeld: held });
  const [chosen, setChosen] = useState<{ at: number; entity: string } | null>(null);
  const [picked, setPicked] = useState<Record<string, Record<string, string>>>({});
  const [times, setTimes] = useState<Record<string, TimeRangeChoice>>({});
  const world = useWorld(display);
  const source = useSource(connection, display, i18n.language);
  const step = steps[at];
  const offered = step?.page.offered;
  const offering = useMemo(() => ({ ...source, offered }), [source, offered]);
  if (!step) return <Message title={name} text={t('boards.display.nothing')} />;
  const { page } = step;
  const entity = chosen?.at === at && page.choices.includes(chosen.entity) ? chosen.entity : step.entity;
  const { _id, board } = page.board;
  const time = times[_id] ?? timeOf(page.range, board as unknown as Board);
  const setTime = (next: TimeRangeChoice) => {
    if (!free.includes('range')) return;
    setTimes((old) => ({ ...old, [_id]: next }));
    setHeld();
  };
  const variables = (board as unknown as Board).variables ?? NO_VARIABLES;
  const place = String(pages.indexOf(page));
  const pick = (key: string, value: string) => {
    setPicked((old) => ({ ...old, [place]: { ...old[place], [key]: value } }));
    setHeld();
  };
  const choices = page.choices.flatMap((id) => world.byId.get(id) ?? []);
  const subject = world.byId.get(entity)?.name ?? '';
  return (
    <main className={classes.wall} data-fills>
      <header className={classes.bar}>
        <h1>{page.board.name}</h1>
        {choices.length > 1 && free.includes('entity') ? (
          <Select
            aria-label={t('boards.entity')}
            className={classes.choice}
            data={choices.map((one) => ({ value: one._id, label: one.name }))}
            value={entity}
            allowDeselect={false}
            searchable
            onChange={(value) => {
              if (value) setChosen({ at, entity: value });
              setHeld();
            }}
          />
        ) : subject && subject !== page.board.name ? (
          <p className={classes.subject}>{subject}</p>
        ) : null}
        <span className={classes.space} />
        {free.includes('range') ? (
          <TimeRangePicker
            value={time}
            onChange={setTime}
            deviceZone={zoneOf(world, entity)}
            collectedNote={t('boards.siteTimeNote')}
          />
        ) : null}
        <Away connection={connection} />
        <Clock zone={resolveZone(time.zone, zoneOf(world, entity))} />
      </header>
      {steps.length > 1 ? (
        <nav className={classes.steps} aria-label={t('boards.display.pages')}>
          {steps.map((one, i) => (
            <button
              key={`${one.page.board._id} ${one.entity}`}
              type="button"
              aria-current={i === at}
              aria-label={`${one.page.board.name} ${world.byId.get(one.entity)?.name ?? ''}`}
              onClick={() => {
                show(i);
                setHeld();
              }}
            />
          ))}
        </nav>
      ) : null}
      {board.items.length === 0 ? (
        <EmptyState title={t('boards.emptyBoard')} />
      ) : (
        <StageOf
          key={`${_id} ${entity}`}
          wg="display"
          world={world}
          entityId={entity}
          time={time}
          onTime={setTime}
          onEntity={nowhere}
          source={offering}
          variables={variables}
          choices={{ chosen: picked[place] ?? NOTHING, choose: pick }}
        >
          <VariableBar variables={variables} />
          <BoardGrid items={board.items as never} />
        </StageOf>
      )}
    </main>
  );
}

const NO_VARIABLES: readonly BoardVariable[] = [];
const NOTHING: Readonly<Record<string, string>> = {};

/** A display leads nowhere else. */
const nowhere = (): void => {};

const timeOf = (range: string | null, board: Pick<Board, 'range' | 'zone' | 'isLive'>): TimeRangeChoice => ({
  range: rangeFromText(range ?? board.range) ?? { kind: 'preset', preset: 'today' },
  zone: board.zone ?? '',
  isRefreshing: board.isLive ?? true,
});

/** Whoever touches the display looks for a while before it goes on. */
function useHeld(): [isHeld: boolean, hold: () => void] {
  const [heldAt, setHeldAt] = useState<number | null>(null);
  useEffect(() => {
    if (heldAt === null) return;
    const timer = setTimeout(() => setHeldAt(null), HELD_MS);
    return () => clearTimeout(timer);
  }, [heldAt]);
  return [heldAt !== null, () => setHeldAt(Date.now())];
}

function useWorld({ entities, sources, machines }: ShownDisplay): KnownWorld {
  return useMemo(
    () => ({
      world: new EntityWorld({ entities, sources, machines }),
      entities,
      sources,
      byId: new Map(entities.map((one) => [one._id, one])),
    }),
    [entities, sources, machines],
  );
}

function useSource(
  connection: DisplayConnection,
  { lookupTables, kpis }: ShownDisplay,
  language: string,
): BoardSource {
  const [live] = useState(() => new PolledValues(connection));
  useEffect(() => live.start(), [live]);
  const words = useMemo(() => wordsOf(lookupTables, language), [lookupTables, language]);
  return useMemo(() => {
    const ask = askTogether(async (questions, take, isWanted) => {
      const answers = await connection.call(displaysApi.answers, { body: { questions } }, isWanted);
      for (const answer of answers) take(answer);
    });
    const asking = displayKpis(connection, kpis);
    return { ask, live, words, labels: NO_LABELS, isDisplay: true, kpis: asking };
  }, [connection, live, words, kpis]);
}

const NO_LABELS: BoardSource['labels'] = [];

/** Says how old all of it is while the server is away. */
function Away({ connection }: { connection: DisplayConnection }) {
  const { t } = useTranslation();
  const now = useNow(10_000);
  const { awaySince } = useSyncExternalStore(connection.subscribe, connection.state);
  if (awaySince === null) return null;
  return (
    <p className={classes.away} role="status">
      <IconCloudOff size={18} aria-hidden />
      {t('boards.display.away', { ago: agoText(awaySince, Math.max(now, awaySince)) })}
    </p>
  );
}

function Clock({ zone }: { zone: string }) {
  const now = useNow(10_000);
  return <time className={classes.clock}>{formatInstant(now, zone, false)}</time>;
}
