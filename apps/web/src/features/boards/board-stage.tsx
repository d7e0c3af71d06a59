import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useSpan, useZoom } from '../../app/series/use-span.ts';
import type { TimeRangeChoice } from '../../ui/time-range/time-range.ts';
import { isCollected, resolveZone } from '../../ui/time-range/time-zone.ts';
import { useWords } from '../lookup-tables/lookup-tables.queries.ts';
import { askAsMember } from './asker.ts';
import { type BoardContext, BoardRoom, type BoardSource } from './board-context.ts';
import type { BoardWorld } from './boards.queries.ts';
import { LiveValues } from './live-values.ts';
import { sizeOf, widgetOf } from './widgets/widgets.ts';
import { zoneOf } from './zone-of.ts';

interface BoardStageProps {
  wg: string;
  world: BoardWorld;
  entityId: string;
  time: TimeRangeChoice;
  onTime: (time: TimeRangeChoice) => void;
  isEditing?: boolean;
  onEntity: (id: string) => void;
  children: ReactNode;
}

/** Gives widgets what they have in common: the entity, the range, the newest values. */
export function BoardStage(props: BoardStageProps) {
  const { wg } = props;
  const live = useLive(wg);
  const words = useWords(wg);
  const ask = useMemo(() => askAsMember(wg), [wg]);
  const source = useMemo(() => ({ ask, live, words, isDisplay: false }), [ask, live, words]);
  return <StageOf {...props} source={source} />;
}

/** The same, with values from wherever the source has them. */
export function StageOf(props: BoardStageProps & { source: BoardSource }) {
  const { wg, world, entityId, time, onTime, isEditing = false, onEntity, source, children } = props;
  const zone = resolveZone(time.zone, zoneOf(world, entityId));
  const span = useSpan(time, zone);
  const zooming = useZoom(time, span, onTime);
  const { isRefreshing, range } = time;
  const isSiteTime = isCollected(time.zone);
  const board = useMemo(
    (): BoardContext => ({
      ...world,
      ...source,
      ...{ wg, entityId, range, span, zone, isSiteTime, zooming, isEditing },
      isLive: isRefreshing,
      openEntity: onEntity,
      widgetOf,
      sizeOf,
    }),
    [world, source, wg, entityId, range, span, zone, isSiteTime, zooming, isEditing, isRefreshing, onEntity],
  );
  return <BoardRoom value={board}>{children}</BoardRoom>;
}

function useLive(wg: string): LiveValues {
  const [live, setLive] = useState(() => new LiveValues(wg));
  const [ofWorkgroup, setOfWorkgroup] = useState(wg);
  if (ofWorkgroup !== wg) {
    setOfWorkgroup(wg);
    setLive(new LiveValues(wg));
  }
  useEffect(() => live.start(), [live]);
  return live;
}
