import { Alert } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { HISTORY_ROWS, historyQuery } from '../../app/incidents/incidents-query.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useSpan } from '../../app/series/use-span.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useTableAddress } from '../../ui/data-table/use-table-address.ts';
import { EmptyState } from '../../ui/states.tsx';
import { TimeRangePicker } from '../../ui/time-range/time-range-picker.tsx';
import { resolveZone } from '../../ui/time-range/time-zone.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import type { TabProps } from './active-tab.tsx';
import { historyColumns, type IncidentRow, NarrowIncident } from './incident-columns.tsx';

/** Incidents of a time, open and closed, the newest first. */
export function HistoryTab({ address, change }: TabProps) {
  const { t } = useTranslation();
  const { rows, isFull, error, refetch, zone } = useHistory(address);
  const table = useTableAddress('-begun');
  const columns = useMemo(() => historyColumns(t, zone), [t, zone]);
  const list = { all: rows, rows, error: rows ? null : error, retry: () => void refetch(), address: table };
  return (
    <>
      {isFull ? (
        <Alert color="gray" variant="light" fz={13} mb={8}>
          {t('incidents.tooMany', { count: HISTORY_ROWS, text: formatWhole(HISTORY_ROWS) })}
        </Alert>
      ) : null}
      <ListTable
        list={list}
        label={t('incidents.tabs.all')}
        failed={t('incidents.historyFailed')}
        name="incident-history"
        columns={columns}
        rowId={({ _id }) => _id}
        search={t('incidents.search')}
        Narrow={NarrowIncident}
        onOpen={(row: IncidentRow) => change({ incident: row.incident._id })}
        toolbar={<HistoryRange address={address} change={change} />}
        empty={<EmptyState title={t('incidents.noHistory')} text={t('incidents.noHistoryText')} />}
      />
    </>
  );
}

/** The time that history, chart and load are of. */
export function HistoryRange({ address, change }: TabProps) {
  return <TimeRangePicker value={address.time} onChange={(time) => change({ time })} />;
}

/** The incidents of the time that the address names, of the alerts that are ticked. */
export function useHistory({ time, alerts }: TabProps['address']) {
  const wg = useWorkgroup();
  const zone = resolveZone(time.zone);
  const span = useSpan(time, zone);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...historyQuery(wg, span),
    // The rows of the last range stay while new ones come.
    placeholderData: keepPreviousData,
  });
  const rows = useMemo(
    () =>
      data
        ?.filter(({ alert }) => alerts.length === 0 || alerts.includes(alert))
        .map(
          (incident): IncidentRow => ({
            _id: incident._id,
            incident,
            consequences: 0,
            isBelow: false,
            isUnfolded: false,
          }),
        ),
    [data, alerts],
  );
  const isFull = (data?.length ?? 0) >= HISTORY_ROWS;
  return { rows, isFull, error, refetch, zone, span, isRefreshing: isPlaceholderData };
}
