import type { BoardQuestionInput } from '@albedo/contract/boards/answers.schema';
import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { ActionIcon } from '@mantine/core';
import { IconTable } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askCsv } from '../../../../ui/csv/csv-ask.ts';
import { formatClock, formatDay, formatInstant } from '../../../../ui/time-range/zoned-time.ts';
import { formatDecimal } from '../../../../ui/units/numbers.ts';
import { useAnswer, useBoard } from '../../board-context.ts';
import type { Line } from '../../lines.ts';
import { useOrigin } from '../../origins.ts';
import { useOwnSpan } from '../../use-figures.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import listClasses from '../list.module.css';
import { SaveButton } from '../save-button.tsx';
import { useStateOf } from '../states.ts';
import { useLines } from '../use-lines.ts';
import { type Segment, segmentsOf } from './segments.ts';
import classes from './timeline.module.css';

/** Width of the names, and pixels of one step, px. */
const [NAMES, STEP] = [130, 3];
const TICKS = 5;
/** Colours of states that are neither good nor bad. */
const TONES = 6;

interface Row {
  key: string;
  label: string;
  segments: (Segment & { word: string; level: string; tone: number })[];
}

/** What states were, and for how long. */
export function TimelineView({ settings, title, width }: WidgetProps<SettingsOf<'timeline'>>) {
  const { t } = useTranslation();
  const { zone, world } = useBoard();
  const span = useOwnSpan(settings.range);
  const lines = useLines(settings.streams);
  useOrigin(lines, 'last', settings.range);
  const stateOf = useStateOf();
  const [isTable, setTable] = useState(false);
  const maxPoints = Math.max(60, Math.round((width - NAMES) / STEP / 50) * 50);
  const answer = useAnswer(statesQuestion(lines, { ...span, timezone: zone, maxPoints }));
  const points = answer.data?.states;
  const rows = useMemo(() => {
    if (!points) return null;
    const tones = new Map<string, number>();
    return lines.map((line, at): Row => {
      const [stream] = line.streams;
      const entity = stream && world.entity(stream.entity);
      const states = entity ? world.machineOf(entity)?.states : undefined;
      const own = points[at];
      const segments = (own ? segmentsOf(own) : []).map((one) => {
        const state = stateOf(stream?.field ?? '', one.value, [], states);
        const word = state.word ?? String(one.value);
        if (!tones.has(word)) tones.set(word, tones.size % TONES);
        return { ...one, word, level: state.level ?? 'none', tone: tones.get(word) ?? 0 };
      });
      return { key: line.key, label: line.label, segments };
    });
  }, [points, lines, stateOf, world]);
  if (lines.length === 0) return <WidgetNote text={t('boards.choose')} />;
  if (answer.error && !rows)
    return <WidgetFailure error={answer.error} onRetry={() => void answer.refetch()} />;
  if (!rows) return <WidgetSkeleton />;
  if (rows.every(({ segments }) => segments.length === 0)) return <WidgetNote text={t('boards.noValue')} />;
  const time = (at: number) => formatInstant(at, zone, false);
  const hours = ({ from, to }: Segment) => formatDecimal((Math.min(to, span.to) - from) / 3_600_000, 1);
  const save = () => {
    const columns = [
      { title: t('boards.entity') },
      { title: t('boards.timeline.from'), isTime: true },
      { title: t('boards.timeline.to'), isTime: true },
      { title: t('boards.timeline.state') },
    ];
    const all = rows.flatMap(({ label, segments }) =>
      segments.map((one) => [label, new Date(one.from), new Date(one.to), one.word]),
    );
    askCsv({ title, zone, table: () => ({ columns, rows: all }) });
  };
  const place = (at: number) => `${(100 * (at - span.from)) / (span.to - span.from)}%`;
  const tools = (
    <>
      <SaveButton title={title} onSave={save} />
      <ActionIcon
        className={listClasses.save}
        style={{ right: 30 }}
        variant="subtle"
        color="gray"
        size="sm"
        aria-pressed={isTable}
        aria-label={t('boards.asTable', { title })}
        onClick={() => setTable(!isTable)}
      >
        <IconTable size={16} />
      </ActionIcon>
    </>
  );
  if (isTable)
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
      <div className={listClasses.scroll} tabIndex={0}>
        {tools}
        <table className={listClasses.table}>
          <thead>
            <tr>
              <th scope="col">{t('boards.entity')}</th>
              {(['from', 'to', 'state', 'hours'] as const).map((one) => (
                <th key={one} scope="col" className={classes.head}>
                  {t(`boards.timeline.${one}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.flatMap(({ key, label, segments }) =>
              segments.toReversed().map((one) => (
                <tr key={`${key} ${one.from}`}>
                  <th scope="row">{label}</th>
                  <td>{time(one.from)}</td>
                  <td>{time(one.to)}</td>
                  <td>{one.word}</td>
                  <td>{hours(one)}</td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </div>
    );
  const words = new Map(rows.flatMap(({ segments }) => segments.map((one) => [one.word, one] as const)));
  const isDay = span.to - span.from <= 36 * 3_600_000;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <div className={listClasses.scroll} tabIndex={0}>
      {tools}
      <div className={classes.chart} style={{ gridTemplateColumns: `minmax(60px, ${NAMES}px) 1fr` }}>
        {rows.map(({ key, label, segments }) => (
          <div key={key} className={classes.row}>
            <span className={classes.name} title={label}>
              {label}
            </span>
            <div className={classes.bar} role="img" aria-label={summaryOf(label, segments)}>
              {segments.map((one) => (
                <span
                  key={one.from}
                  className={classes.segment}
                  data-level={one.level}
                  data-tone={one.tone}
                  title={`${one.word}: ${time(one.from)} – ${time(one.to)}, ${hours(one)} h`}
                  style={{
                    left: place(Math.max(one.from, span.from)),
                    right: `calc(100% - ${place(Math.min(one.to, span.to))})`,
                  }}
                />
              ))}
            </div>
          </div>
        ))}
        <div className={classes.ticks} aria-hidden>
          {Array.from({ length: TICKS }, (_, at) => {
            const instant = span.from + ((span.to - span.from) * at) / (TICKS - 1);
            return <span key={instant}>{isDay ? formatClock(instant, zone) : formatDay(instant, zone)}</span>;
          })}
        </div>
      </div>
      <ul className={classes.legend}>
        {[...words].map(([word, { level, tone }]) => (
          <li key={word}>
            <span className={classes.swatch} data-level={level} data-tone={tone} />
            {word}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What asks for the states of lines; each is one stream, as states cannot be added up. */
function statesQuestion(
  lines: readonly Line[],
  of: { from: number; to: number; timezone: string; maxPoints: number },
): BoardQuestionInput | null {
  const streams = lines.flatMap(({ streams: [stream] }) =>
    stream
      ? [{ device: stream.deviceId, table: stream.table, source: stream.source, field: stream.field }]
      : [],
  );
  return streams.length === 0 ? null : { id: 'states', kind: 'states', ...of, streams };
}

/** For those who do not see it: the share of each state. */
function summaryOf(label: string, segments: Row['segments']): string {
  const byWord = new Map<string, number>();
  for (const { word, from, to } of segments) byWord.set(word, (byWord.get(word) ?? 0) + to - from);
  const total = [...byWord.values()].reduce((sum, one) => sum + one, 0) || 1;
  const parts = [...byWord].map(([word, ms]) => `${word} ${Math.round((100 * ms) / total)} %`);
  return `${label}: ${parts.join(', ')}`;
}
