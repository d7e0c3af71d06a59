import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { queryClient } from '../../app/query-client.ts';
import { useWork } from '../../app/use-submit.ts';
import rows from '../../ui/row-list.module.css';
import { Section } from '../../ui/section.tsx';
import { ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { pushQuery } from './notifications.queries.ts';
import { ownFingerprint, pushLack, subscribeHere, testPush, unsubscribe } from './push.ts';

const hereQuery = queryOptions({
  queryKey: ['push-here'],
  queryFn: async () => ({ lack: await pushLack(), fingerprint: await ownFingerprint() }),
});

/** Push messages to the browsers of a person: this one, and the others. */
export function PushHere() {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const { data, error, refetch } = useQuery(pushQuery);
  const { data: here } = useQuery(hereQuery);
  const { isWorking, work } = useWork((cause) => notifyFailure(t('notifications.push.failed'), cause));
  const isHere = data?.subscriptions.some(({ fingerprint }) => fingerprint === here?.fingerprint);
  const turnOn = () =>
    void work(async () => {
      await subscribeHere(data?.publicKey ?? '');
      await queryClient.invalidateQueries({ queryKey: hereQuery.queryKey });
    });
  const turnOff = (id: string, isOwn: boolean) =>
    void work(async () => {
      await unsubscribe(id, isOwn);
      await queryClient.invalidateQueries({ queryKey: hereQuery.queryKey });
    });
  const test = () =>
    void work(async () => {
      const { sent } = await testPush();
      notifyDone(t('notifications.push.tested', { count: sent }));
    });
  return (
    <Section title={t('notifications.push.title')}>
      {error ? (
        <ErrorState title={t('notifications.push.loadFailed')} error={error} onRetry={() => void refetch()} />
      ) : !data || !here ? (
        <TableSkeleton rows={2} />
      ) : (
        <Stack gap="sm" maw={640}>
          <Text size="sm">
            {here.lack && !isHere ? t(`notifications.push.lack.${here.lack}`) : t('notifications.push.help')}
          </Text>
          {data.subscriptions.map(({ _id, label, fingerprint, createdAt, lastOkAt }) => (
            <Group key={_id} justify="space-between" wrap="nowrap">
              <div>
                <div>
                  {label || t('notifications.push.browser')}
                  {fingerprint === here.fingerprint ? ` (${t('notifications.push.this')})` : ''}
                </div>
                <div className={rows.words}>
                  {lastOkAt === null
                    ? t('notifications.push.since', { ago: agoText(createdAt, now) })
                    : t('notifications.push.lastOk', { ago: agoText(lastOkAt, now) })}
                </div>
              </div>
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={isWorking}
                aria-label={t('notifications.push.drop', { name: label })}
                onClick={() => turnOff(_id, fingerprint === here.fingerprint)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          ))}
          <Group>
            {isHere || here.lack ? null : (
              <Button loading={isWorking} onClick={turnOn}>
                {t('notifications.push.turnOn')}
              </Button>
            )}
            {data.subscriptions.length > 0 ? (
              <Button variant="default" loading={isWorking} onClick={test}>
                {t('notifications.push.test')}
              </Button>
            ) : null}
          </Group>
        </Stack>
      )}
    </Section>
  );
}
