import type { BulkAction, BulkState } from '@albedo/contract/bulk-actions/bulk-actions.schema';
import { Button, Table, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { LevelIcon, type Mark } from '../../ui/status/level-icon.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { titleOf } from './action-title.ts';
import classes from './bulk-actions.module.css';
import { bulkActionsQuery, exportDevices } from './bulk-actions.queries.ts';
import { BulkProgress } from './bulk-progress.tsx';
import { BulkTargets } from './bulk-targets.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { NewBulkDialog } from './new-bulk-dialog.tsx';

const MARKS: Record<BulkState, Mark> = {
  running: 'waiting',
  paused: 'waiting',
  stopped: 'danger',
  done: 'ok',
  cancelled: 'offline',
};

/** What is done to many devices at once, and what came of it. */
export function BulkActionsPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(bulkActionsQuery(wg));
  const [isNew, setNew] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const mayManage = usePermission('manageDevices');
  const { isWorking, failure, attempt } = useAttempt();
  const [shown, setShown] = useState<string | null>(null);
  return (
    <Page
      title={t('bulkActions.title')}
      context={t('bulkActions.context')}
      actions={
        <>
          <Button variant="default" loading={isWorking} onClick={() => void attempt(() => exportDevices(wg))}>
            {t('bulkActions.csv.export')}
          </Button>
          {mayManage ? (
            <Button variant="default" onClick={() => setImporting(true)}>
              {t('bulkActions.csv.import')}
            </Button>
          ) : null}
          <Button leftSection={<IconPlus size={16} />} onClick={() => setNew(true)}>
            {t('bulkActions.new')}
          </Button>
        </>
      }
    >
      <div className={classes.stack}>
        <Failure text={failure} />
        {shown ? <BulkTargets key={shown} id={shown} onClose={() => setShown(null)} /> : null}
        {error ? (
          <ErrorState title={t('bulkActions.failed')} error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <List actions={data} onShow={setShown} />
        ) : (
          <TableSkeleton rows={6} />
        )}
      </div>
      {isImporting ? <ImportDialog onClose={() => setImporting(false)} /> : null}
      {isNew ? <NewBulkDialog onBegun={setShown} onClose={() => setNew(false)} /> : null}
    </Page>
  );
}

function List({ actions, onShow }: { actions: BulkAction[]; onShow: (id: string) => void }) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  if (actions.length === 0)
    return <EmptyState title={t('bulkActions.empty')} text={t('bulkActions.emptyText')} />;
  return (
    <Section title={t('bulkActions.all')} isFlush>
      <Table.ScrollContainer minWidth={640} type="native">
        <Table verticalSpacing={8} horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('bulkActions.columns.what')}</Table.Th>
              <Table.Th>{t('bulkActions.columns.state')}</Table.Th>
              <Table.Th>{t('bulkActions.columns.progress')}</Table.Th>
              <Table.Th>{t('bulkActions.columns.by')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {actions.map((action) => (
              <Table.Tr key={action._id}>
                <Table.Td>
                  <button type="button" className={classes.name} onClick={() => onShow(action._id)}>
                    {titleOf(action)}
                  </button>
                </Table.Td>
                <Table.Td className={classes.state}>
                  <LevelIcon mark={MARKS[action.state]} />
                  {t(`bulkActions.states.${action.state}`)}
                </Table.Td>
                <Table.Td>
                  <BulkProgress action={action} />
                </Table.Td>
                <Table.Td>
                  <Text size="sm">{action.by}</Text>
                  <Text size="xs" c="dimmed">
                    {agoText(action.createdAt, now)}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}
