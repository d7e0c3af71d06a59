import type { BoardVariable } from '@albedo/contract/boards/variables.schema';
import { fullSettings } from '@albedo/contract/boards/widgets/full-settings';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { KnownWorld } from '../../app/entity-world-query.ts';
import { zoneOf } from '../../app/entity-zone.ts';
import { useLabels } from '../../app/labels.ts';
import { useSpan, useZoom } from '../../app/series/use-span.ts';
import type { TimeRangeChoice } from '../../ui/time-range/time-range.ts';
import { isCollected, resolveZone } from '../../ui/time-range/time-zone.ts';
import { useWords } from '../lookup-tables/lookup-tables.queries.ts';
import { askAsMember } from './asker.ts';
import { type BoardContext, BoardRoom, type BoardSource, type VariableChoices } from './board-context.ts';
import { LiveValues } from './live-values.ts';
import { useBindings } from './use-bindings.ts';
import { sizeOf, widgetOf } from './widgets/widgets.ts';

interface BoardStageProps {
  wg: string;
  world: KnownWorld;
  entityId: string;
  time: TimeRangeChoice;
  onTime: (time: TimeRangeChoice) => void;
  isEditing?: boolean;
  /** While somebody edits, settings are checked as they will be when they are saved. */
  settingsOf?: BoardContext['settingsOf'];
  /** Those of the board itself. */
  variables?: readonly BoardVariable[] | undefined;
  choices?: VariableChoices;
  onEntity: (id: string) => void;
  children: ReactNode;
}

/** Gives widgets what they have in common: the entity, the range, the newest values. */
export function BoardStage(props: BoardStageProps) {
  const { wg } = props;
  const live = useLive(wg);
  const words = useWords(wg);
  const ask = useMemo(() => askAsMember(wg), [wg]);
  const labels = useLabels();
  const source = useMemo(() => ({ ask, live, words, labels, isDisplay: false }), [ask, live, words, labels]);
  return <StageOf {...props} source={source} />;
}

/** The same, with values from wherever the source has them. */
export function StageOf(props: BoardStageProps & { source: BoardSource }) {
  const { wg, world, entityId, time, onTime, isEditing = false, onEntity, source, children } = props;
  const { variables, choices = NO_CHOICES, settingsOf = fullSettings } = props;
  const of = useMemo(
    () => ({ entities: world.entities, labels: source.labels, offered: source.offered }),
    [world.entities, source.labels, source.offered],
  );
  const bindings = useBindings(variables, choices.chosen, of);
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
      ...{ bindings, choices },
      isLive: isRefreshing,
      openEntity: onEntity,
      widgetOf,
      settingsOf,
      sizeOf,
    }),
    [
      world,
      source,
      wg,
      entityId,
      range,
      span,
      zone,
      isSiteTime,
      zooming,
      isEditing,
      isRefreshing,
      onEntity,
      bindings,
      choices,
      settingsOf,
    ],
  );
  return <BoardRoom value={board}>{children}</BoardRoom>;
}

const NO_CHOICES: VariableChoices = { chosen: {}, choose: () => {} };

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
