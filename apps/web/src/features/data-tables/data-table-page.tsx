import type { DataTable } from '@albedo/contract/data-tables/data-tables.schema';
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useIsOwner } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { formatCount, formatWhole } from '../../ui/units/numbers.ts';
import { formatBytes } from '../../ui/units/units.ts';
import { dataTableQuery, removeDataTable } from './data-tables.queries.ts';
import { FieldList } from './field-list.tsx';
import { ForecastsSwitch } from './forecasts-switch.tsx';
import { RetentionForm } from './retention-form.tsx';
import classes from './storage.module.css';
import { Tile } from './tile.tsx';

/** One table: what it takes, its fields, how long it keeps its events. */
export function DataTablePage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { table: name = '' } = useParams({ strict: false });
  const { data, error, refetch } = useQuery(dataTableQuery(wg, name));
  return (
    <Stack gap="md">
      <div>
        <Anchor data-alone component={Link} to="/admin/data/tables" size="sm">
          <Group gap={4} wrap="nowrap">
            <IconArrowLeft size={14} aria-hidden />
            {t('dataTables.all')}
          </Group>
        </Anchor>
        <Title order={2} mt={4}>
          {name}
        </Title>
      </div>
      {error ? (
        <ErrorState
          title={t('dataTables.failedOne', { name })}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : data ? (
        <>
          <Figures table={data.table} />
          <FieldList table={name} />
          {data.table.isSystem ? (
            <Text c="dimmed">{t('dataTables.system')}</Text>
          ) : (
            <Keeping table={data.table} key={data.table.retentionDays} />
          )}
        </>
      ) : (
        <TableSkeleton rows={6} />
      )}
    </Stack>
  );
}

function Figures({ table }: { table: DataTable }) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  return (
    <div className={classes.tiles}>
      <Tile title={t('dataTables.events')} value={formatWhole(table.events)} />
      <Tile title={t('dataTables.size')} value={formatBytes(table.bytes)} hint={t('dataTables.sizeHint')} />
      <Tile
        title={t('dataTables.perDay')}
        value={formatCount(table.eventsPerDay)}
        hint={t('dataTables.perDayHint')}
      />
      <Tile title={t('dataTables.first')} value={agoText(table.firstAt, now)} />
      <Tile title={t('dataTables.last')} value={agoText(table.lastAt, now)} />
    </div>
  );
}

/** Owners alone delete data, by a rule or at once. */
function Keeping({ table }: { table: DataTable }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const isOwner = useIsOwner();
  const name = table.table;
  return (
    <Stack gap="md" maw={560}>
      <ForecastsSwitch table={table} />
      <RetentionForm table={table} isReadOnly={!isOwner} />
      {isOwner ? (
        <Group>
          <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => setAsking(true)}>
            {t('dataTables.remove', { name })}
          </Button>
        </Group>
      ) : null}
      {isAsking ? (
        <ConfirmDialog
          confirm={t('dataTables.remove', { name })}
          phrase={name}
          onConfirm={async () => {
            await removeDataTable(wg, name, name);
            notifyDone(t('dataTables.removing', { name }));
            await navigate({ to: '/admin/data/tables' });
          }}
          onClose={() => setAsking(false)}
        >
          {t('dataTables.removeText', { count: table.events, events: formatWhole(table.events), name })}
        </ConfirmDialog>
      ) : null}
    </Stack>
  );
}
