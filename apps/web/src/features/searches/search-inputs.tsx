import { Button, Select, Switch } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { messageOf } from '../../ui/message-of.ts';
import { TimeRangePicker } from '../../ui/time-range/time-range-picker.tsx';
import { tableQuery } from '../telemetry/telemetry.queries.ts';
import { dateFields } from './found.ts';
import type { SearchDraft } from './search-draft.ts';
import classes from './searches.module.css';
import { tablesQuery } from './searches.queries.ts';

interface SearchInputsProps {
  draft: SearchDraft;
  onChange: (change: Partial<SearchDraft>) => void;
  onTable: (table: string) => void;
  /** What is asked for is not what is shown. */
  isStale: boolean;
  isReady: boolean;
}

/** While somebody looks for a table, what there is is asked again so often, ms. */
const TABLES_AGAIN_MS = 15_000;

/** The table, the time frame, and the button that asks. */
export function SearchInputs({ draft, onChange, onTable, isStale, isReady }: SearchInputsProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [isChoosing, setChoosing] = useState(false);
  const tables = useQuery({ ...tablesQuery(wg), refetchInterval: isChoosing && TABLES_AGAIN_MS });
  const { data: info } = useQuery({ ...tableQuery(wg, draft.table ?? ''), enabled: draft.table !== null });
  const dates = dateFields(info);
  const isLive = draft.time.isRefreshing;
  return (
    <div className={classes.line}>
      <Select
        className={classes.table ?? ''}
        label={t('searches.table')}
        placeholder={t('searches.chooseTable')}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('searches.noTable')}
        value={draft.table}
        data={[...new Set([...(tables.data ?? []), ...(draft.table ? [draft.table] : [])])]}
        error={tables.error ? messageOf(tables.error) : undefined}
        onDropdownOpen={() => {
          setChoosing(true);
          if (tables.isStale) void tables.refetch();
        }}
        onDropdownClose={() => setChoosing(false)}
        onChange={(table) => table !== null && table !== draft.table && onTable(table)}
      />
      <div className={classes.time}>
        <span className={classes.label}>{t('searches.time')}</span>
        <TimeRangePicker
          hasAllTime
          value={draft.time}
          onChange={(time) =>
            onChange({ time: { ...time, isRefreshing: isLive && time.range.kind !== 'absolute' } })
          }
        />
      </div>
      {dates.length > 2 || draft.dateField !== 'event_time' ? (
        <Select
          className={classes.date ?? ''}
          label={t('searches.dateField')}
          allowDeselect={false}
          value={draft.dateField}
          data={[...new Set([...dates, draft.dateField])]}
          onChange={(dateField) => dateField !== null && onChange({ dateField })}
        />
      ) : null}
      <Button
        type="submit"
        className={classes.go ?? ''}
        leftSection={<IconPlayerPlay size={16} />}
        variant={isStale ? 'filled' : 'default'}
        disabled={!isReady}
        title={isReady ? undefined : t('searches.notReady')}
      >
        {t('searches.go')}
      </Button>
      <Switch
        className={classes.follow ?? ''}
        label={t('searches.follow')}
        checked={isLive}
        disabled={draft.table === null || draft.time.range.kind === 'absolute'}
        onChange={(event) => onChange({ time: { ...draft.time, isRefreshing: event.currentTarget.checked } })}
      />
    </div>
  );
}
