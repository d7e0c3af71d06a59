import { type Heartbeat, newHeartbeat } from '@albedo/contract/notifications/notifications.schema';
import { Button, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { Failure } from '../../ui/failure.tsx';
import rows from '../../ui/row-list.module.css';
import { Section } from '../../ui/section.tsx';
import { ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { agoText } from '../../ui/units/durations.ts';
import classes from './notifications.module.css';
import { heartbeatQuery, saveHeartbeat } from './notifications.queries.ts';

/** An address that is called again and again, so that a watchdog outside knows when we are not there. */
export function HeartbeatSection() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(heartbeatQuery(wg));
  return (
    <Section title={t('notifications.heartbeat.title')} context={t('notifications.heartbeat.context')}>
      {error ? (
        <ErrorState
          title={t('notifications.heartbeat.failed')}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : data ? (
        <HeartbeatForm key={`${data.enabled} ${data.everyMinutes} ${data.host}`} wg={wg} heartbeat={data} />
      ) : (
        <TableSkeleton rows={2} />
      )}
    </Section>
  );
}

type Input = z.input<typeof newHeartbeat>;

function HeartbeatForm({ wg, heartbeat }: { wg: string; heartbeat: Heartbeat }) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const { enabled, everyMinutes, host, lastError, lastOkAt } = heartbeat;
  const { values, set, field, dialog } = useContractForm({
    schema: newHeartbeat,
    initial: { enabled, everyMinutes: everyMinutes as Input['everyMinutes'], address: undefined } as Input,
    send: async (wanted) => {
      await saveHeartbeat(wg, wanted);
      notifyDone(t('notifications.heartbeat.saved'));
    },
  });
  const { value: address, ...addressField } = field('address');
  return (
    <form onSubmit={dialog.onSubmit} noValidate>
      <Stack gap="sm" maw={640}>
        <Switch
          label={t('notifications.heartbeat.enabled')}
          checked={values.enabled}
          onChange={(event) => set({ enabled: event.currentTarget.checked })}
        />
        <TextInput
          {...addressField}
          value={(address as string | undefined) ?? ''}
          onChange={(event) => set({ address: event.currentTarget.value || undefined })}
          type="url"
          label={t('notifications.heartbeat.address')}
          placeholder={host ? `https://${host}/…` : 'https://watchdog.example.org/…'}
          description={host ? t('notifications.channels.stays') : t('notifications.heartbeat.addressHelp')}
        />
        <Select
          label={t('notifications.heartbeat.every')}
          allowDeselect={false}
          data={[1, 5, 15, 60].map((count) => ({ value: String(count), label: `${count} min` }))}
          value={String(values.everyMinutes)}
          onChange={(next) => set({ everyMinutes: Number(next) as Input['everyMinutes'] })}
        />
        {lastError !== null ? (
          <div className={classes.failed}>{t('notifications.heartbeat.error', { error: lastError })}</div>
        ) : lastOkAt !== null ? (
          <div className={rows.words}>
            {t('notifications.heartbeat.lastOk', { ago: agoText(lastOkAt, now) })}
          </div>
        ) : null}
        <Failure text={dialog.failure} />
        <Button type="submit" loading={dialog.isWorking} style={{ alignSelf: 'flex-start' }}>
          {t('actions.save')}
        </Button>
      </Stack>
    </form>
  );
}
