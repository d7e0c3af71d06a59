import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { useTranslation } from 'react-i18next';
import { askCsv } from '../../../../ui/csv/csv-ask.ts';
import { formatInstant } from '../../../../ui/time-range/zoned-time.ts';
import { useAnswer, useBoard } from '../../board-context.ts';
import { textsTogether } from '../../levels.ts';
import { useOrigin } from '../../origins.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import listClasses from '../list.module.css';
import { SaveButton } from '../save-button.tsx';
import { useStateOf } from '../states.ts';
import { useLines } from '../use-lines.ts';

interface Row {
  at: number;
  line: number;
  value: number | string;
}

/** The newest values as they came, the newest first. */
export function LastView({ settings, title }: WidgetProps<SettingsOf<'last'>>) {
  const { t } = useTranslation();
  const { zone } = useBoard();
  const stateOf = useStateOf();
  const lines = useLines(settings.streams);
  useOrigin(lines, 'latest', undefined);
  const streams = lines
    .flatMap((line, at) => line.streams.map((stream) => ({ stream, line: at })))
    .slice(0, 40);
  const answer = useAnswer(
    streams.length === 0
      ? null
      : {
          id: 'last',
          kind: 'last',
          count: settings.count,
          streams: streams.map(({ stream: { deviceId: device, table, source, field } }) => ({
            ...{ device, table, source, field },
          })),
        },
  );
  if (lines.length === 0) return <WidgetNote text={t('boards.choose')} />;
  const values = answer.data?.values;
  if (answer.error && !values)
    return <WidgetFailure error={answer.error} onRetry={() => void answer.refetch()} />;
  if (!values) return <WidgetSkeleton />;
  const rows = values
    .flatMap((own, at) => own.map((one): Row => ({ ...one, line: streams[at]?.line ?? 0 })))
    .toSorted((a, b) => b.at - a.at)
    .slice(0, settings.count);
  if (rows.length === 0) return <WidgetNote text={t('boards.noValue')} />;
  const texts = textsTogether(
    rows.map(({ line: at, value }) => {
      const line = lines[at];
      const [stream] = line?.streams ?? [];
      const { word } = stateOf(stream?.field ?? '', value, []);
      const scaled = typeof value === 'number' && stream ? value * stream.factor + stream.offset : value;
      return { value: word ?? scaled, units: line?.units ?? null };
    }),
  );
  const save = () => {
    const columns = [
      { title: t('boards.last.at'), isTime: true },
      { title: t('boards.last.what') },
      { title: t('boards.last.value') },
      { title: t('boards.last.unit') },
    ];
    const all = rows.map((one) => {
      const line = lines[one.line];
      const [stream] = line?.streams ?? [];
      const isNumber = typeof one.value === 'number' && stream !== undefined;
      const value = isNumber ? Number(one.value) * stream.factor + stream.offset : one.value;
      return [new Date(one.at), line?.label ?? '', value, line?.units ?? ''];
    });
    askCsv({ title, zone, table: () => ({ columns, rows: all }) });
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <div className={listClasses.scroll} tabIndex={0}>
      <SaveButton title={title} onSave={save} />
      <table className={listClasses.table} aria-label={title}>
        <tbody>
          {rows.map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two streams may have a value at the same instant.
            <tr key={at}>
              <th scope="row">{formatInstant(one.at, zone)}</th>
              {lines.length > 1 ? <td>{lines[one.line]?.label}</td> : null}
              <td>{texts[at]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
