import { eventBeside } from '@albedo/contract/boards/widgets/event-beside';
import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { incidentText } from '../../../../app/incidents/incident-text.ts';
import { useNow } from '../../../../app/now.ts';
import { LevelIcon } from '../../../../ui/status/level-icon.tsx';
import { agoText } from '../../../../ui/units/durations.ts';
import { useBoard } from '../../board-context.ts';
import { textOf } from '../../levels.ts';
import { useFigures } from '../../use-figures.ts';
import { useIncidentsOf } from '../../use-incidents-of.ts';
import type { WidgetProps } from '../../widget.ts';
import { useWidgetData } from '../../widget-data.ts';
import { WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import classes from '../list.module.css';
import { useLinesOfRows, usePlaces, useRows } from '../rows.ts';
import { useEventOf, useStateOf } from '../states.ts';
import { EntityButton } from '../table/table-view.tsx';

const ORDER = { danger: 0, warning: 1, unknown: 2, ok: 3 } as const;

/** What an entity says of itself. */
interface Said {
  entity: Entity;
  text: string;
  level: keyof typeof ORDER;
}

/** What each entity says of itself; those that need somebody first. */
export function StatusView({ settings }: WidgetProps<SettingsOf<'status'>>) {
  const { t } = useTranslation();
  const { openEntity, world } = useBoard();
  const now = useNow(30_000);
  const stateOf = useStateOf();
  const eventOf = useEventOf();
  const incidentsOf = useIncidentsOf();
  const { stream, thresholds, silentMin } = settings;
  const rows = useRows(settings.rows, settings.label);
  const placeOf = usePlaces(rows);
  const byRow = useLinesOfRows(rows, stream);
  const beside = useMemo(() => eventBeside(stream), [stream]);
  const eventsByRow = useLinesOfRows(rows, beside);
  const lines = useMemo(
    () => [...byRow, ...eventsByRow].filter((line) => line !== null),
    [byRow, eventsByRow],
  );
  const { figures, isPending } = useFigures({ lines, fn: 'latest' });
  if (!stream) return <WidgetNote text={t('boards.choose')} />;
  if (rows.length === 0) return <WidgetNote text={t('boards.noRows')} />;
  if (isPending && lines.length > 0) return <WidgetSkeleton />;
  const byKey = new Map(figures.map((one) => [one.line.key, one]));
  const states = rows.flatMap((entity, at): Said[] => {
    const line = byRow[at];
    const [incident] = incidentsOf(entity._id);
    // What is wrong is told in the same words everywhere.
    if (incident) {
      const level = incident.severity.rank === 0 ? 'danger' : 'warning';
      return [{ entity, text: incidentText(t, incident), level }];
    }
    if (!line) return [];
    const figure = byKey.get(line.key);
    const { value = null, at: measuredAt = null } = figure ?? {};
    const isSilent = measuredAt === null || now - measuredAt > silentMin * 60_000;
    const [first] = line.streams;
    const machine = world.machineOf(world.entity(first?.entity ?? entity._id) ?? entity);
    const state = stateOf(first?.field ?? '', value, thresholds, machine?.states);
    if (measuredAt === null) return [{ entity, text: t('boards.noValue'), level: 'unknown' }];
    if (isSilent)
      return [{ entity, text: t('boards.silent', { ago: agoText(measuredAt, now) }), level: 'warning' }];
    const text = state.word ?? textOf(value, line.units);
    const level = state.level ?? 'ok';
    const reported = byKey.get(eventsByRow[at]?.key ?? '');
    const [told] = reported?.line.streams ?? [];
    // What was reported long before the state is over, or nobody knows.
    const isNow = reported?.at != null && now - reported.at <= silentMin * 60_000;
    const event = isNow ? eventOf(told?.field ?? '', reported.value, machine?.states) : null;
    if (!event) return [{ entity, text, level }];
    // A producing inverter needs no word for that; one in a fault does.
    const said = level === 'ok' ? event.word : `${text}, ${event.word}`;
    return [{ entity, text: said, level: ORDER[event.level] < ORDER[level] ? event.level : level }];
  });
  if (states.length === 0) return <WidgetNote text={t('boards.noValue')} />;
  return <StateList states={states} placeOf={placeOf} onOpen={openEntity} />;
}

interface StateListProps {
  states: readonly Said[];
  placeOf: (entity: Entity) => string | null;
  onOpen: (id: string) => void;
}

function StateList({ states, placeOf, onOpen }: StateListProps) {
  const { t } = useTranslation();
  const counted = (['danger', 'warning', 'unknown', 'ok'] as const)
    .map((level) => ({ level, count: states.filter((one) => one.level === level).length }))
    .filter(({ count }) => count > 0);
  const sorted = states.toSorted((a, b) => ORDER[a.level] - ORDER[b.level]);
  useWidgetData({
    head: [t('boards.entity'), t('boards.timeline.state')],
    rows: sorted.map(({ entity, text }) => [[entity.name, placeOf(entity)].filter(Boolean).join(', '), text]),
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <div className={classes.scroll} tabIndex={0}>
      <div className={classes.sum}>
        {counted.map(({ level, count }) => (
          <span key={level}>
            <LevelIcon mark={level} size={13} />
            {t(`boards.levels.${level}`, { count })}
          </span>
        ))}
      </div>
      <ul className={classes.list}>
        {sorted.map(({ entity, text, level }) => (
          <li key={entity._id}>
            <LevelIcon mark={level} size={13} />
            <EntityButton entity={entity} place={placeOf(entity)} onOpen={onOpen} />
            <span className={classes.said} data-level={level}>
              {text}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
