import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import { Button } from '@mantine/core';
import { IconChecks, IconMoonStars } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { canAcknowledge, familiesOf, isTold, isUnanswered } from '../../app/incidents/gravity.ts';
import { incidentText } from '../../app/incidents/incident-text.ts';
import { acknowledge, incidentsQuery } from '../../app/incidents/incidents-query.ts';
import type { BulkAction } from '../../app/list/actions.ts';
import { FilterControl } from '../../app/list/filter-control.tsx';
import { ListTable } from '../../app/list/list-table.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useTableAddress } from '../../ui/data-table/use-table-address.ts';
import { EmptyState } from '../../ui/states.tsx';
import { type IncidentRow, incidentColumns, NarrowIncident } from './incident-columns.tsx';
import { ShelveDialog } from './shelve-dialog.tsx';
import type { IncidentsAddress } from './use-incidents-address.ts';
import { useMayAnswer } from './use-may-answer.ts';

const SHOWN = ['open', 'silent'] as const;

export interface TabProps {
  address: IncidentsAddress;
  change: (change: Partial<IncidentsAddress>) => void;
}

/** What is open now, by severity and then by what it costs; consequences are folded under their cause. */
export function ActiveTab({ address, change }: TabProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(incidentsQuery(wg));
  const mayAnswer = useMayAnswer();
  const table = useTableAddress();
  const { alerts, hasSilent } = address;
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(NO_IDS);
  const [isAsking, setAsking] = useState(false);
  const ticked = useMemo(
    () => (alerts.length === 0 ? data : data?.filter(({ alert }) => alerts.includes(alert))),
    [data, alerts],
  );
  const groups = useMemo(() => groupsOf(ticked), [ticked]);
  const rows = useRows(groups && (hasSilent ? groups.silent : groups.open), unfolded);
  const columns = useMemo(
    () =>
      incidentColumns(t, (id) =>
        setUnfolded((old) => new Set(old.has(id) ? [...old].filter((one) => one !== id) : [...old, id])),
      ),
    [t],
  );
  const bulk = useMemo(
    () =>
      mayAnswer
        ? { nameOf: (row: IncidentRow) => incidentText(t, row.incident), actions: bulkActions(t, wg) }
        : undefined,
    [mayAnswer, t, wg],
  );
  const list = {
    all: rows,
    rows,
    error: error && !data ? error : null,
    retry: () => void refetch(),
    address: table,
  };
  const waiting = groups?.open.filter(isUnanswered) ?? [];
  return (
    <>
      <ListTable
        list={list}
        label={t('incidents.tabs.active')}
        failed={t('incidents.failed')}
        name="incidents"
        columns={columns}
        rowId={({ _id }) => _id}
        search={t('incidents.search')}
        Narrow={NarrowIncident}
        onOpen={(row: IncidentRow) => change({ incident: row.incident._id })}
        {...(bulk ? { bulk } : {})}
        toolbar={
          <>
            {groups && (groups.silent.length > 0 || hasSilent) ? (
              <FilterControl
                list={{
                  shown: hasSilent ? 'silent' : 'open',
                  choose: (next) => change({ hasSilent: next === 'silent' }),
                  count: (which) => groups[which].length,
                }}
                values={SHOWN}
                label={t('incidents.show')}
                titleOf={(which) => t(`incidents.shown.${which}`)}
              />
            ) : null}
            {mayAnswer && waiting.length > 1 && !hasSilent ? (
              <Button
                variant="default"
                leftSection={<IconChecks size={16} />}
                onClick={() => setAsking(true)}
              >
                {t('incidents.acknowledgeAll', { count: waiting.length })}
              </Button>
            ) : null}
          </>
        }
        empty={<NothingWrong isTicked={alerts.length > 0} isSilent={hasSilent} change={change} />}
      />
      {isAsking ? (
        <ConfirmDialog
          isHarmless
          confirm={t('incidents.acknowledge')}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await acknowledge(
              wg,
              waiting.map(({ _id }) => _id),
            );
            notifyDone(t('incidents.acknowledgedMany', { count: waiting.length }));
          }}
        >
          {t('incidents.acknowledgeAsk', { count: waiting.length })}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

const NO_IDS: ReadonlySet<string> = new Set();

/** Those that call for attention with their consequences, and those that are silenced. */
function groupsOf(all: readonly Incident[] | undefined) {
  if (!all) return undefined;
  const open: Incident[] = [];
  const silent: Incident[] = [];
  const known = new Set(all.map(({ _id }) => _id));
  for (const one of all) {
    const isBelow = one.causedBy !== null && known.has(one.causedBy);
    // Suppressed by its cause, it is told there.
    (isTold(one) || isBelow ? open : silent).push(one);
  }
  return { open, silent };
}

/** The rows of the table; a row stays the same object until something of it changes. */
function useRows(incidents: readonly Incident[] | undefined, unfolded: ReadonlySet<string>) {
  const made = useRef(new Map<string, IncidentRow>());
  return useMemo(() => {
    if (!incidents) return undefined;
    const before = made.current;
    const now = new Map<string, IncidentRow>();
    const rowOf = (incident: Incident, consequences: number, isBelow: boolean, isUnfolded: boolean) => {
      const old = before.get(incident._id);
      const isSame =
        old?.incident === incident &&
        old.consequences === consequences &&
        old.isBelow === isBelow &&
        old.isUnfolded === isUnfolded;
      const row = isSame ? old : { _id: incident._id, incident, consequences, isBelow, isUnfolded };
      now.set(incident._id, row);
      return row;
    };
    const rows = familiesOf(incidents).flatMap(({ cause, consequences }) => {
      const isUnfolded = consequences.length > 0 && unfolded.has(cause._id);
      return [
        rowOf(cause, consequences.length, false, isUnfolded),
        ...(isUnfolded ? consequences.map((one) => rowOf(one, 0, true, false)) : []),
      ];
    });
    made.current = now;
    return rows;
  }, [incidents, unfolded]);
}

function bulkActions(t: ReturnType<typeof useTranslation>['t'], wg: string): BulkAction<IncidentRow>[] {
  return [
    {
      id: 'acknowledge',
      title: t('incidents.acknowledge'),
      icon: <IconChecks size={16} />,
      of: (rows) => rows.filter(({ incident }) => canAcknowledge(incident)),
      ask: (rows) => ({ text: t('incidents.acknowledgeAsk', { count: rows.length }), isHarmless: true }),
      run: async (ids) => {
        await acknowledge(wg, ids);
        return { failed: [] };
      },
      done: (rows) => t('incidents.acknowledgedMany', { count: rows.length }),
    },
    {
      id: 'shelve',
      title: t('incidents.shelve'),
      icon: <IconMoonStars size={16} />,
      dialog: (rows, { close, untick }) => (
        <ShelveDialog incidents={rows.map(({ incident }) => incident)} onClose={close} onDone={untick} />
      ),
    },
  ];
}

interface NothingProps {
  isTicked: boolean;
  isSilent: boolean;
  change: TabProps['change'];
}

function NothingWrong({ isTicked, isSilent, change }: NothingProps) {
  const { t } = useTranslation();
  if (isSilent) return <EmptyState title={t('incidents.noneSilent')} text={t('incidents.noneSilentText')} />;
  if (!isTicked) return <EmptyState title={t('incidents.nothing')} text={t('incidents.nothingText')} />;
  return (
    <EmptyState title={t('incidents.nothingTicked')}>
      <Button variant="default" onClick={() => change({ alerts: [] })}>
        {t('incidents.showAll')}
      </Button>
    </EmptyState>
  );
}
