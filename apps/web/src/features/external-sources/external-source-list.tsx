import type {
  ExternalSource,
  SavedExternalSource,
} from '@albedo/contract/external-sources/external-sources.schema';
import { Button } from '@mantine/core';
import { IconHistory, IconKey, IconPencil, IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../app/list/actions.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { PageAction } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { ExternalSourceDialog } from './external-source-dialog.tsx';
import classes from './external-sources.module.css';
import {
  externalSourcesQuery,
  removeExternalSource,
  renewPushToken,
  runExternalSource,
} from './external-sources.queries.ts';
import { PushToken } from './push-token.tsx';
import { RunHistory } from './run-history.tsx';

const idOf = ({ _id }: ExternalSource): string => _id;

/** Where data comes from without an agent, a tab of Admin > Data. */
export function ExternalSourceList() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(30_000);
  const list = useList({ query: externalSourcesQuery(wg), sort: 'name' });
  const [isCreating, setCreating] = useState(false);
  const [token, setToken] = useState<SavedExternalSource | null>(null);
  const columns = useMemo(() => columnsOf(t, now), [t, now]);
  const menu = useMemo(
    () => ({
      label: ({ name }: ExternalSource) => t('externalSources.menu', { name }),
      actions: (source: ExternalSource) => actionsOf(t, wg, source, setToken),
    }),
    [t, wg],
  );
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t('externalSources.create')}
    </Button>
  );
  return (
    <>
      {list.error || list.all?.length === 0 ? null : <PageAction>{create}</PageAction>}
      <ListTable
        list={list}
        label={t('externalSources.title')}
        failed={t('externalSources.failed')}
        name="external-sources"
        columns={columns}
        rowId={idOf}
        search={t('externalSources.search')}
        Narrow={NarrowSource}
        menu={menu}
        onOpen="change"
        empty={
          <EmptyState title={t('externalSources.none')} text={t('externalSources.noneText')}>
            {create}
          </EmptyState>
        }
      />
      {isCreating ? (
        <ExternalSourceDialog source={null} onToken={setToken} onClose={() => setCreating(false)} />
      ) : null}
      {token ? <PushToken source={token} onClose={() => setToken(null)} /> : null}
    </>
  );
}

function actionsOf(
  t: TFunction,
  wg: string,
  source: ExternalSource,
  onToken: (saved: SavedExternalSource) => void,
): RowAction<ExternalSource>[] {
  const { _id, name, kind } = source;
  const ofKind: RowAction<ExternalSource>[] = isScheduled(kind)
    ? [
        {
          id: 'run',
          title: t('externalSources.run'),
          icon: <IconPlayerPlay size={16} />,
          run: async () => {
            const { lastError, lastEvents, lastRunAt, lastOkAt, lookup } = await runExternalSource(wg, _id);
            if (lastError !== null && lastRunAt !== lastOkAt) throw new Error(lastError);
            const text = lookup ? 'externalSources.refreshed' : 'externalSources.ran';
            notifyDone(t(text, { name, count: lastEvents ?? 0 }));
          },
          failed: t('externalSources.notRead', { name }),
        },
      ]
    : kind === 'push'
      ? [
          {
            id: 'token',
            title: t('externalSources.newToken'),
            icon: <IconKey size={16} />,
            ask: { text: t('externalSources.newTokenText', { name }) },
            run: async () => onToken(await renewPushToken(wg, _id)),
          },
        ]
      : [];
  return [
    {
      id: 'change',
      title: t('externalSources.change'),
      icon: <IconPencil size={16} />,
      dialog: (row, { close }) => <ExternalSourceDialog source={row} onToken={onToken} onClose={close} />,
    },
    ...ofKind,
    ...(kind === 'mqtt'
      ? []
      : [
          {
            id: 'history',
            title: t('externalSources.history'),
            icon: <IconHistory size={16} />,
            dialog: (row: ExternalSource, { close }: { close: () => void }) => (
              <RunHistory source={row} onClose={close} />
            ),
          },
        ]),
    {
      id: 'remove',
      title: t('externalSources.remove'),
      icon: <IconTrash size={16} />,
      isDangerous: true,
      ask: { text: t('externalSources.removeText', { name }) },
      run: async () => {
        await removeExternalSource(wg, _id);
        notifyDone(t('externalSources.removed', { name }));
      },
    },
  ];
}

function columnsOf(t: TFunction, now: number): Column<ExternalSource>[] {
  return [
    { id: 'name', title: t('externalSources.name'), value: (row) => row.name, width: 240, isFixed: true },
    {
      id: 'kind',
      title: t('externalSources.kind'),
      value: (row) => kindText(t, row),
      width: 200,
      importance: 3,
    },
    {
      id: 'table',
      title: t('externalSources.table'),
      value: (row) => row.mapping?.table ?? t('externalSources.lookupTable'),
      width: 160,
      importance: 2,
    },
    {
      id: 'lastRun',
      title: t('externalSources.lastRun'),
      value: (row) => row.lastRunAt ?? null,
      isTime: true,
      cell: (row) => lastRunText(t, row, now),
      width: 160,
      importance: 4,
    },
    {
      id: 'state',
      title: t('externalSources.state'),
      value: (row) => stateText(t, row),
      cell: (row) => (
        <span className={row.lastError === null ? undefined : classes.failed} title={stateText(t, row)}>
          {stateText(t, row)}
        </span>
      ),
      width: 360,
      importance: 5,
    },
  ];
}

const isScheduled = (kind: ExternalSource['kind']): boolean =>
  kind === 'pull' || kind === 'sftp' || kind === 'mail';

function kindText(t: TFunction, { kind, pull, sftp, mailbox, subscription }: ExternalSource): string {
  if (kind === 'push') return t('externalSources.push');
  if (kind === 'mqtt')
    return subscription?.payload === 'sparkplug' ? 'Sparkplug B' : t('externalSources.mqttShort');
  const every = t('externalSources.every', { count: (pull ?? sftp ?? mailbox)?.everyMinutes ?? 0 });
  if (kind === 'pull') return every;
  return `${t(kind === 'sftp' ? 'externalSources.sftpShort' : 'externalSources.mailShort')} · ${every}`;
}

const lastRunText = (t: TFunction, { lastRunAt }: ExternalSource, now: number): string =>
  lastRunAt === null ? t('externalSources.never') : agoText(lastRunAt, now);

function stateText(
  t: TFunction,
  { kind, isEnabled, connection, lookup, lastError, lastEvents }: ExternalSource,
): string {
  if (!isEnabled) return t('externalSources.off');
  if (kind === 'mqtt') return brokerText(t, connection, lastError);
  if (lastError !== null) return lastError;
  return lastEvents === null
    ? t('externalSources.waiting')
    : t(lookup ? 'externalSources.refreshedShort' : 'externalSources.brought', { count: lastEvents });
}

function brokerText(
  t: TFunction,
  connection: ExternalSource['connection'],
  lastError: string | null,
): string {
  if (!connection?.isConnected)
    return lastError === null
      ? t('externalSources.connecting')
      : t('externalSources.unconnected', { why: lastError });
  const { messages, events, faults } = connection;
  const parts = [t('externalSources.heard', { count: messages, events: formatWhole(events) })];
  if (faults > 0) parts.push(t('externalSources.unread', { count: faults }));
  if (lastError !== null) parts.push(lastError);
  return parts.join(' · ');
}

function NarrowSource({ row }: { row: ExternalSource }) {
  const { t } = useTranslation();
  return <NarrowRow title={row.name}>{`${kindText(t, row)} · ${stateText(t, row)}`}</NarrowRow>;
}
