import type { SavedWebhook, Webhook } from '@albedo/contract/webhooks/webhooks.schema';
import { Anchor, Button, Stack } from '@mantine/core';
import {
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../app/list/actions.ts';
import { useRowActions } from '../../app/list/use-row-actions.tsx';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSearchChange } from '../../ui/data-table/use-table-address.ts';
import rows from '../../ui/row-list.module.css';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { agoText, formatDuration } from '../../ui/units/durations.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { Messages } from './messages-section.tsx';
import { SigningSecret } from './signing-secret.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import classes from './webhooks.module.css';
import { removeWebhook, renewSecret, saveWebhook, testWebhook, webhooksQuery } from './webhooks.queries.ts';

/** The webhooks of the workgroup, a tab of Admin > Workgroup. The address names the webhook whose messages are open. */
export function WebhooksPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(webhooksQuery(wg));
  const [isCreating, setCreating] = useState(false);
  const [saved, setSaved] = useState<SavedWebhook | null>(null);
  const search = useSearch({ strict: false }) as { webhook?: string };
  const open = data?.find(({ _id }) => _id === search.webhook);
  const menu = useMemo(
    () => ({
      label: ({ name }: Webhook) => t('webhooks.menu', { name }),
      actions: (webhook: Webhook) => actionsOf(t, wg, webhook, setSaved),
    }),
    [t, wg],
  );
  const { menuOf, dialogs } = useRowActions({ menu, rows: data, rowId: idOf });
  const create = (
    <Button
      size="xs"
      variant={data?.length === 0 ? 'filled' : 'default'}
      leftSection={<IconPlus size={16} />}
      onClick={() => setCreating(true)}
    >
      {t('webhooks.create')}
    </Button>
  );
  return (
    <Stack gap="md">
      <Section
        isFlush
        title={t('webhooks.list')}
        context={t('webhooks.listContext')}
        actions={data && data.length > 0 ? create : null}
      >
        {error && !data ? (
          <ErrorState title={t('webhooks.failed')} error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <TableSkeleton rows={3} />
        ) : data.length === 0 ? (
          <EmptyState title={t('webhooks.none')} text={t('webhooks.noneText')}>
            {create}
          </EmptyState>
        ) : (
          <ul className={rows.list}>
            {data.map((webhook) => (
              <li key={webhook._id} className={rows.row} data-is-open={webhook === open}>
                <WebhookRow webhook={webhook} isOpen={webhook === open} />
                {menuOf(webhook)}
              </li>
            ))}
          </ul>
        )}
      </Section>
      {open ? <Messages webhook={open} /> : null}
      {isCreating ? (
        <WebhookDialog webhook={null} onSecret={setSaved} onClose={() => setCreating(false)} />
      ) : null}
      {saved ? <SigningSecret webhook={saved} onClose={() => setSaved(null)} /> : null}
      {dialogs}
    </Stack>
  );
}

function WebhookRow({ webhook, isOpen }: { webhook: Webhook; isOpen: boolean }) {
  const { t } = useTranslation();
  const changeSearch = useSearchChange();
  const { _id, name, host, events, tables, waiting } = webhook;
  const show = () => changeSearch({ webhook: isOpen ? undefined : _id }, { isStep: true });
  return (
    <div className={classes.what}>
      <div className={rows.name}>{name}</div>
      <div className={rows.words}>{host}</div>
      <ul className={classes.chips} aria-label={t('webhooks.events')}>
        {events.map((event) => (
          <li key={event} className={classes.chip}>
            {event === 'table.rows'
              ? t('webhooks.rowsOf', { tables: tables.join(', ') })
              : t(`webhooks.happened.${event.replace('.', '_')}`)}
          </li>
        ))}
      </ul>
      <WebhookState webhook={webhook} />
      <Anchor component="button" type="button" size="sm" onClick={show} aria-expanded={isOpen}>
        {isOpen ? t('webhooks.hide') : t('webhooks.show')}
        {waiting > 0 ? ` (${t('webhooks.waits', { count: waiting, number: formatWhole(waiting) })})` : ''}
      </Anchor>
    </div>
  );
}

function WebhookState({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const { enabled, offReason, failingSince, lastError, lastOkAt, nextAt, oldSecretUntil } = webhook;
  const failure = offReason
    ? t(`webhooks.off.${offReason}`)
    : enabled && failingSince !== null
      ? t('webhooks.failing', { ago: agoText(failingSince, now) })
      : null;
  return (
    <>
      {failure ? (
        <div className={classes.failed}>
          <LevelIcon mark="danger" size={16} />
          <span>
            {failure} {lastError}{' '}
            {enabled && nextAt !== null && nextAt > now
              ? t('webhooks.next', { in: formatDuration(nextAt - now) })
              : ''}
          </span>
        </div>
      ) : !enabled ? (
        <div className={rows.words}>{t('webhooks.disabled')}</div>
      ) : (
        <div className={rows.words}>
          {lastOkAt === null ? t('webhooks.never') : t('webhooks.lastOk', { ago: agoText(lastOkAt, now) })}
        </div>
      )}
      {oldSecretUntil !== null ? (
        <div className={rows.words}>
          {t('webhooks.bothSecrets', { in: formatDuration(oldSecretUntil - now) })}
        </div>
      ) : null}
    </>
  );
}

const idOf = ({ _id }: Webhook): string => _id;

function actionsOf(
  t: TFunction,
  wg: string,
  webhook: Webhook,
  onSecret: (saved: SavedWebhook) => void,
): RowAction<Webhook>[] {
  const { _id, name, enabled, events, tables } = webhook;
  return [
    {
      id: 'change',
      title: t('webhooks.edit'),
      icon: <IconPencil size={16} />,
      dialog: (row, { close }) => <WebhookDialog webhook={row} onSecret={onSecret} onClose={close} />,
    },
    {
      id: 'test',
      title: t('webhooks.test'),
      icon: <IconSend size={16} />,
      run: async () => {
        const { ok, status, tookMs, error } = await testWebhook(wg, _id);
        if (ok) notifyDone(t('webhooks.tested', { name, status, ms: formatWhole(tookMs) }));
        else notifyFailure(t('webhooks.testFailed', { name }), new Error(error ?? ''));
      },
      failed: t('webhooks.testFailed', { name }),
    },
    {
      id: 'secret',
      title: t('webhooks.newSecret'),
      icon: <IconKey size={16} />,
      ask: { text: t('webhooks.newSecretText', { name }), isHarmless: true },
      run: async () => onSecret(await renewSecret(wg, _id)),
    },
    {
      id: 'switch',
      title: t(enabled ? 'webhooks.turnOff' : 'webhooks.turnOn'),
      icon: enabled ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />,
      run: async () => {
        await saveWebhook(wg, _id, { name, events, tables, enabled: !enabled });
        notifyDone(t(enabled ? 'webhooks.turnedOff' : 'webhooks.turnedOn', { name }));
      },
      failed: t('webhooks.saveFailed', { name }),
    },
    {
      id: 'remove',
      title: t('actions.delete'),
      icon: <IconTrash size={16} />,
      isDangerous: true,
      ask: { text: t('webhooks.removeText', { name }) },
      run: async () => {
        await removeWebhook(wg, _id);
        notifyDone(t('webhooks.removed', { name }));
      },
    },
  ];
}
