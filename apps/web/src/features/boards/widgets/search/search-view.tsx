import type { BoardQuestionInput } from '@albedo/contract/boards/answers.schema';
import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { askCsv } from '../../../../ui/csv/csv-ask.ts';
import { formatInstant } from '../../../../ui/time-range/zoned-time.ts';
import { formatWhole, plain } from '../../../../ui/units/numbers.ts';
import { deviceListQuery } from '../../../devices/devices.queries.ts';
import { savedSearchQuery } from '../../../searches/searches.queries.ts';
import { useAnswer, useBoard } from '../../board-context.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import listClasses from '../list.module.css';
import { SaveButton } from '../save-button.tsx';

const ROWS = 50;
/** What nobody looks for first, and how many columns stand beside it where nobody chose some. */
const OF_THE_CLOUD: readonly string[] = ['msg_id', 'store_time'];
const COLUMNS = 8;

/** What a kept search finds now. */
export function SearchView({ settings, title }: WidgetProps<SettingsOf<'search'>>) {
  const { t } = useTranslation();
  const { wg, zone, isDisplay } = useBoard();
  const id = settings.search ?? '';
  const kept = useQuery({ ...savedSearchQuery(wg, id), enabled: id !== '' && !isDisplay });
  const devices = useQuery({ ...deviceListQuery(wg), enabled: id !== '' && !isDisplay });
  const found = kept.data;
  const question: BoardQuestionInput | null = found
    ? {
        id: 'search',
        kind: 'search',
        table: found.table,
        query: {
          filters: found.filters,
          filterOperator: found.filterOperator,
          ...(found.timeframe === undefined ? {} : { timeframe: found.timeframe }),
          dateField: found.dateField,
          timezone: found.timezone ?? zone,
          sort: found.sort,
          rows: ROWS,
        },
      }
    : null;
  const answer = useAnswer(question);
  if (isDisplay) return <WidgetNote text={t('boards.notOnDisplays')} />;
  if (id === '') return <WidgetNote text={t('boards.found.choose')} />;
  const failed = [kept, answer].find(({ error, data }) => error && !data);
  if (failed) return <WidgetFailure error={failed.error} onRetry={() => void failed.refetch()} />;
  const result = answer.data?.result;
  if (!found || !result) return <WidgetSkeleton />;
  if (result.records.length === 0) return <WidgetNote text={t('boards.found.nothing')} />;
  const names = found.fields.length > 0 ? found.fields : columnsIn(result.records);
  const deviceNames = new Map(devices.data?.map((one) => [one.id, one.name]));
  const text = (field: string, value: string | number | null | undefined) => {
    if (value === null || value === undefined) return '–';
    if (field === 'event_time') return formatInstant(Date.parse(String(value)), zone);
    if (field === 'device') return deviceNames.get(String(value)) ?? String(value);
    return typeof value === 'number' ? plain(value) : value;
  };
  const save = () => {
    const isTime = (field: string) => field === 'event_time' || field === 'store_time';
    const shown = names.flatMap((field) => (field === 'device' ? [field, 'device name'] : [field]));
    const cellIn = (one: (typeof result.records)[number], field: string) => {
      if (field === 'device name') return deviceNames.get(String(one.device));
      const value = one[field];
      return isTime(field) && value ? new Date(value) : value;
    };
    const table = {
      columns: shown.map((field) => ({ title: field, isTime: isTime(field) })),
      rows: result.records.map((one) => shown.map((field) => cellIn(one, field))),
    };
    askCsv({ title, zone, table: () => table });
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <div className={listClasses.scroll} tabIndex={0}>
      <SaveButton title={title} onSave={save} />
      <div className={listClasses.sum}>
        <Link to="/search/$searchId" params={{ searchId: id }} className={listClasses.entity}>
          {found.name}
        </Link>
        <span className={listClasses.pending}>
          {t('boards.found.found', { count: result.totalRecords, text: formatWhole(result.totalRecords) })}
        </span>
      </div>
      <table className={listClasses.table}>
        <thead>
          <tr>
            {names.map((field) => (
              <th key={field} scope="col" style={{ padding: '6px 12px' }}>
                {field}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {result.records.map((one, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: records have no id that every table shows.
            <tr key={at}>
              {names.map((field, i) =>
                i === 0 ? (
                  <th key={field} scope="row">
                    {text(field, one[field])}
                  </th>
                ) : (
                  <td key={field}>{text(field, one[field])}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The columns that have a value, the time and the source first. */
function columnsIn(records: readonly Readonly<Record<string, string | number | null>>[]): string[] {
  const used = new Set(
    records.flatMap((one) => Object.entries(one).flatMap(([name, value]) => (value === null ? [] : [name]))),
  );
  const first = ['event_time', 'device', 'source'].filter((name) => used.has(name));
  const rest = [...used].filter((name) => !first.includes(name) && !OF_THE_CLOUD.includes(name));
  return [...first, ...rest].slice(0, COLUMNS);
}
