import type { Suppression } from '@albedo/contract/alerts/alerts.schema';
import { Anchor, Button } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../app/list/actions.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { formatInstant, zoneLabel } from '../../ui/time-range/zoned-time.ts';
import { formatLongDuration } from '../../ui/units/durations.ts';
import { removeSuppression, suppressionsQuery, useMayEditAlerts } from './alerts.queries.ts';
import { recurrenceText } from './recurrence-text.ts';
import { SuppressionDialog } from './suppression-dialog.tsx';

const idOf = ({ _id }: Suppression): string => _id;

/** Planned times in which alerts stay silent. */
export function SuppressionsPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const mayEdit = useMayEditAlerts();
  const list = useList({ query: suppressionsQuery(wg), sort: 'name' });
  const [isCreating, setCreating] = useState(false);
  const columns = useMemo(() => columnsOf(t), [t]);
  const menu = useMemo(
    () => ({
      label: ({ name }: Suppression) => t('alerts.suppressionMenu', { name }),
      nameOf: ({ name }: Suppression) => name,
      actions: (one: Suppression): RowAction<Suppression>[] => [
        {
          id: 'change',
          title: t('alerts.change'),
          icon: <IconPencil size={16} />,
          dialog: (row, { close }) => <SuppressionDialog wg={wg} suppression={row} onClose={close} />,
        },
        {
          id: 'remove',
          title: t('alerts.remove'),
          icon: <IconTrash size={16} />,
          isDangerous: true,
          ask: { text: t('alerts.removeSuppressionText', { name: one.name }) },
          run: async () => {
            await removeSuppression(wg, one._id);
            notifyDone(t('alerts.suppressionRemoved', { name: one.name }));
          },
        },
      ],
    }),
    [t, wg],
  );
  const create = mayEdit ? (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t('alerts.newSuppression')}
    </Button>
  ) : null;
  return (
    <Page
      isFilling
      title={t('alerts.suppressions')}
      context={
        <Anchor component={Link} to="/alerts" size="sm">
          {t('alerts.back')}
        </Anchor>
      }
      actions={list.all && list.all.length > 0 ? create : null}
    >
      <ListTable
        list={list}
        label={t('alerts.suppressions')}
        failed={t('alerts.suppressionsFailed')}
        name="suppressions"
        columns={columns}
        rowId={idOf}
        search={t('alerts.findSuppression')}
        Narrow={NarrowSuppression}
        {...(mayEdit ? { menu, onOpen: 'change' } : {})}
        empty={
          <EmptyState title={t('alerts.noSuppressions')} text={t('alerts.noSuppressionsText')}>
            {create}
          </EmptyState>
        }
      />
      {isCreating ? (
        <SuppressionDialog wg={wg} suppression={null} onClose={() => setCreating(false)} />
      ) : null}
    </Page>
  );
}

/** Whether it holds now, and when it comes next. */
function stateOf(t: TFunction, { enabled, isActive, nextAt, zone }: Suppression): string {
  if (!enabled) return t('alerts.planOff');
  if (isActive) return t('alerts.planActive');
  return nextAt === null
    ? t('alerts.planOver')
    : t('alerts.planNext', { at: formatInstant(nextAt, zone, false) });
}

const lengthOf = (t: TFunction, { durationMinutes }: Suppression): string =>
  durationMinutes === null ? t('alerts.untilEnded') : formatLongDuration(durationMinutes * 60_000);

const columnsOf = (t: TFunction): Column<Suppression>[] => [
  { id: 'name', title: t('alerts.name'), value: (row) => row.name, width: 240, isFixed: true },
  { id: 'state', title: t('alerts.state'), value: (row) => stateOf(t, row), width: 220, importance: 5 },
  {
    id: 'recur',
    title: t('alerts.repeats'),
    value: (row) => recurrenceText(t, row.rrule, row.startsAt),
    width: 180,
    importance: 4,
  },
  {
    id: 'length',
    title: t('alerts.length'),
    value: (row) => row.durationMinutes,
    text: (row) => lengthOf(t, row),
    width: 130,
    importance: 3,
  },
  {
    id: 'zone',
    title: t('alerts.zone'),
    value: (row) => zoneLabel(row.zone, row.nextAt ?? Date.now()),
    width: 170,
    importance: 1,
  },
  { id: 'reason', title: t('alerts.reason'), value: (row) => row.reason, width: 260, importance: 2 },
];

function NarrowSuppression({ row }: { row: Suppression }) {
  const { t } = useTranslation();
  return (
    <NarrowRow title={row.name}>
      {stateOf(t, row)} · {recurrenceText(t, row.rrule, row.startsAt)}
    </NarrowRow>
  );
}
