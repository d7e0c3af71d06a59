import type { SavedSearch } from '@albedo/contract/searches/searches.schema';
import { Tabs } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../app/call.ts';
import { isComplete } from '../../app/filters/filters.ts';
import { useWorkgroup } from '../../app/session.ts';
import { messageOf } from '../../ui/message-of.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { TabList } from '../../ui/tab-list.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import { tableQuery } from '../telemetry/telemetry.queries.ts';
import { baseQuery } from './found.ts';
import type { Run } from './result.ts';
import { ResultAnalysis } from './result-analysis.tsx';
import { ResultCharts } from './result-charts.tsx';
import { ResultCsv } from './result-csv.tsx';
import { ResultTable } from './result-table.tsx';
import { SearchActions } from './search-actions.tsx';
import { isChanged, type SearchDraft, signatureOf, TABS, type Tab } from './search-draft.ts';
import { SearchFilters } from './search-filters.tsx';
import { SearchInputs } from './search-inputs.tsx';
import classes from './searches.module.css';
import { recordsQuery } from './searches.queries.ts';
import { useDraft } from './use-draft.ts';

/** Rows at first, and where more are asked for. Source of the first: specification 2, section 9. */
const ROWS = [50, 250, 1000] as const;
/** Between two looks at the newest records, ms. */
const LIVE_MS = 5000;

const runOf = (draft: SearchDraft, number: number): Run | null =>
  draft.table !== null && draft.filters.every(isComplete)
    ? { draft: { ...draft, table: draft.table }, number }
    : null;

/** One search: what is looked for above, what was found below. */
export function SearchScreen({ kept, saved }: { kept: SearchDraft; saved: SavedSearch | null }) {
  const { t } = useTranslation();
  const [draft, change] = useDraft(kept);
  // An address that somebody was given shows at once what it says.
  const [run, setRun] = useState(() => runOf(draft, 0));
  const isReady = draft.table !== null && draft.filters.every(isComplete);
  const isStale = draft.table !== null && (!run || signatureOf(draft) !== signatureOf(run.draft));

  const go = (next: SearchDraft = draft) => setRun((old) => runOf(next, (old?.number ?? 0) + 1) ?? old);
  const chooseTable = (table: string) => {
    const { tab: _tab, ...rest } = draft;
    const next = { ...NEW_TABLE, table, time: rest.time };
    change(next);
    go({ ...draft, ...next });
  };

  return (
    <Page
      title={saved?.name ?? t('searches.new')}
      context={saved ? contextOf(t, saved, draft) : t('searches.context')}
      actions={<SearchActions draft={draft} saved={saved} />}
    >
      <form
        className={classes.inputs}
        aria-label={t('searches.inputs')}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) go();
        }}
      >
        <SearchInputs
          draft={draft}
          onChange={change}
          onTable={chooseTable}
          isStale={isStale}
          isReady={isReady}
        />
        {draft.table === null ? null : <SearchFilters draft={draft} table={draft.table} onChange={change} />}
      </form>
      {run === null || draft.table === null ? (
        <Start isTableChosen={draft.table !== null} />
      ) : (
        <Results run={run} draft={draft} isStale={isStale} onChange={change} onRun={go} saved={saved} />
      )}
    </Page>
  );
}

/** Filters, columns and charts of one table mean nothing in another one. */
const NEW_TABLE = {
  filters: [],
  dateField: 'event_time',
  sort: '-event_time',
  fields: [],
  charts: { enabled: false, fields: [] },
  analysis: { enabled: false, field: null, interval: 'day', type: 'average', isPerDevice: false },
  csv: { enabled: false, fields: [], style: null },
} as const satisfies Partial<SearchDraft> as unknown as Omit<SearchDraft, 'table' | 'time' | 'tab'>;

function contextOf(t: (key: string) => string, saved: SavedSearch, draft: SearchDraft): string {
  const whose = t(saved.orgRef ? 'searches.isShared' : 'searches.isPersonal');
  return isChanged(draft, saved) ? `${whose} · ${t('searches.unsaved')}` : whose;
}

function Start({ isTableChosen }: { isTableChosen: boolean }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t(isTableChosen ? 'searches.press' : 'searches.start')}
      text={t(isTableChosen ? 'searches.pressText' : 'searches.startText')}
    />
  );
}

interface ResultsProps {
  run: Run;
  draft: SearchDraft;
  saved: SavedSearch | null;
  isStale: boolean;
  onChange: (change: Partial<SearchDraft>) => void;
  onRun: (next: SearchDraft) => void;
}

function Results({ run, draft, saved, isStale, onChange, onRun }: ResultsProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { table } = run.draft;
  const [step, setStep] = useState({ of: run.number, at: 0 });
  const at = step.of === run.number ? step.at : 0;
  const rows = ROWS[at] ?? ROWS[0];
  const info = useQuery({ ...tableQuery(wg, table), retry: false });
  const query = useMemo(() => ({ ...baseQuery(run.draft), sort: run.draft.sort, rows }), [run.draft, rows]);
  const found = useQuery({
    ...recordsQuery(wg, table, query, run.number),
    placeholderData: keepPreviousData,
    refetchInterval: draft.time.isRefreshing ? LIVE_MS : false,
  });

  const failure = info.error ?? found.error;
  if (failure) {
    const retry = () => void Promise.all([info.refetch(), found.refetch()]);
    return <TableFailure table={table} error={failure} onRetry={retry} />;
  }
  const total = found.data?.totalRecords;
  const next = ROWS[at + 1];
  const of = { run, draft, info: info.data, onChange };
  const panels: Record<Tab, ReactNode> = {
    table: (
      <ResultTable
        {...of}
        records={found.data?.records}
        total={total}
        isRefreshing={found.isPlaceholderData}
        onSort={(sort) => {
          onChange({ sort });
          onRun({ ...run.draft, sort });
        }}
        onMore={
          next && total !== undefined && total > rows ? () => setStep({ of: run.number, at: at + 1 }) : null
        }
      />
    ),
    charts: <ResultCharts {...of} />,
    analysis: <ResultAnalysis {...of} />,
    csv: <ResultCsv {...of} saved={saved} total={total} />,
  };
  return (
    <div>
      <div className={classes.summary} aria-live="polite">
        <strong>
          {total === undefined
            ? t('searches.searching')
            : t('searches.total', { count: total, total: formatWhole(total) })}
        </strong>
        {found.data ? <span>{t('searches.took', { took: formatWhole(found.data.took) })}</span> : null}
        {draft.time.isRefreshing ? <span className={classes.live}>{t('time.live')}</span> : null}
        {isStale ? <span className={classes.stale}>{t('searches.stale')}</span> : null}
      </div>
      <Tabs
        value={draft.tab}
        keepMounted={false}
        onChange={(tab) => onChange({ tab: TABS.find((one) => one === tab) ?? 'table' })}
      >
        <TabList tabs={TABS.map((id) => ({ id, title: t(`searches.tabs.${id}`) }))} shown={draft.tab} />
        {TABS.map((id) => (
          <Tabs.Panel key={id} value={id} pt="sm">
            {draft.tab === id ? panels[id] : null}
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  );
}

/** Source of the words: specification 2, section 8. */
function TableFailure({ table, error, onRetry }: { table: string; error: Error; onRetry: () => void }) {
  const { t } = useTranslation();
  const isMissing = error instanceof ApiError && error.error === 'table.not_found';
  return (
    <ErrorState
      title={t('searches.tableFailed', { name: table })}
      error={new Error(isMissing ? t('searches.tableMissing') : messageOf(error))}
      onRetry={onRetry}
    />
  );
}
