import type { Webhook, WebhookDelivery } from '@albedo/contract/webhooks/webhooks.schema';
import { Button, Code, Table } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { CopyIcon } from '../../ui/copy-id.tsx';
import { Failure } from '../../ui/failure.tsx';
import rows from '../../ui/row-list.module.css';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { formatWhole, NO_VALUE } from '../../ui/units/numbers.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import classes from './webhooks.module.css';
import { messagesQuery, sendAgain } from './webhooks.queries.ts';

/** The latest messages to a webhook and its answers. */
export function Messages({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(messagesQuery(wg, webhook._id));
  const [open, setOpen] = useState<string | null>(null);
  const title = t('webhooks.messages', { name: webhook.name });
  return (
    <Section isFlush title={title} context={t('webhooks.messagesContext')}>
      {error && !data ? (
        <ErrorState title={t('webhooks.messagesFailed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <TableSkeleton rows={4} />
      ) : data.length === 0 ? (
        <EmptyState title={t('webhooks.noMessages')} text={t('webhooks.noMessagesText')} />
      ) : (
        <WideTable label={title} leastPx={640}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('webhooks.what')}</Table.Th>
              <Table.Th>{t('webhooks.when')}</Table.Th>
              <Table.Th>{t('webhooks.state')}</Table.Th>
              <Table.Th ta="right">{t('webhooks.attempts')}</Table.Th>
              <Table.Th ta="right">{t('webhooks.took')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.map((message) => (
              <MessageRows
                key={message.id}
                message={message}
                webhook={webhook._id}
                isOpen={open === message.id}
                onToggle={() => setOpen(open === message.id ? null : message.id)}
              />
            ))}
          </Table.Tbody>
        </WideTable>
      )}
    </Section>
  );
}

interface MessageRowsProps {
  message: WebhookDelivery;
  webhook: string;
  isOpen: boolean;
  onToggle: () => void;
}

function MessageRows({ message, webhook, isOpen, onToggle }: MessageRowsProps) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const { id, event, createdAt, state, attempts, status, tookMs, error } = message;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Fragment>
      <Table.Tr>
        <Table.Td>
          <button type="button" className={classes.opener} aria-expanded={isOpen} onClick={onToggle}>
            <Chevron size={16} aria-hidden />
            {t(`webhooks.happened.${event.replace('.', '_')}`)}
          </button>
        </Table.Td>
        <Table.Td>{agoText(createdAt, now)}</Table.Td>
        <Table.Td>
          <span
            className={classes.state}
            data-state={error !== null && state === 'waiting' ? 'failing' : state}
          >
            {t(`webhooks.states.${state}`)}
            {status === null ? '' : ` · ${status}`}
          </span>
          {error === null ? null : <div className={rows.words}>{error}</div>}
        </Table.Td>
        <Table.Td ta="right" className="tabular">
          {attempts}
        </Table.Td>
        <Table.Td ta="right" className="tabular">
          {tookMs === null ? NO_VALUE : `${formatWhole(tookMs)} ms`}
        </Table.Td>
      </Table.Tr>
      {isOpen ? (
        <Table.Tr>
          <Table.Td colSpan={5}>
            <MessageDetails message={message} webhook={webhook} key={id} />
          </Table.Td>
        </Table.Tr>
      ) : null}
    </Fragment>
  );
}

function MessageDetails({
  message: { id, body, state },
  webhook,
}: {
  message: WebhookDelivery;
  webhook: string;
}) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const again = useSubmit(async () => {
    await sendAgain(wg, webhook, id);
    notifyDone(t('webhooks.sentAgain'));
  });
  return (
    <div className={classes.details}>
      <form className={classes.idLine} onSubmit={again.handleSubmit}>
        <span className={rows.words}>{t('webhooks.id')}</span>
        <Code>{id}</Code>
        <CopyIcon value={id} label={t('webhooks.id')} />
        {state === 'waiting' ? null : (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={16} />}
            type="submit"
            loading={again.isWorking}
          >
            {t('webhooks.again')}
          </Button>
        )}
      </form>
      <Failure text={again.failure} />
      <Code block className={classes.body}>
        {pretty(body)}
      </Code>
    </div>
  );
}

const pretty = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);
