import { WEBHOOK_AREAS, type WebhookArea, type WebhookEvent } from '@albedo/contract/webhooks/webhooks.names';
import { newWebhook, type SavedWebhook, type Webhook } from '@albedo/contract/webhooks/webhooks.schema';
import { Checkbox, MultiSelect, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import rows from '../../ui/row-list.module.css';
import { dataTablesQuery } from '../data-tables/data-tables.queries.ts';
import classes from './webhooks.module.css';
import { saveWebhook } from './webhooks.queries.ts';

interface WebhookDialogProps {
  webhook: Webhook | null;
  /** Called if the save created a new signing secret. */
  onSecret: (saved: SavedWebhook) => void;
  onClose: () => void;
}

/** Creates or changes a webhook. */
export function WebhookDialog({ webhook, onSecret, onClose }: WebhookDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: tables = [] } = useQuery(dataTablesQuery(wg));
  const { values, set, field, faultOf, dialog } = useContractForm({
    schema: newWebhook,
    initial: {
      name: webhook?.name ?? '',
      enabled: webhook?.enabled ?? true,
      events: webhook?.events ?? ([] as WebhookEvent[]),
      tables: webhook?.tables ?? ([] as string[]),
      address: undefined as string | undefined,
    },
    refusals: { 'webhook.name_taken': 'name' },
    send: async (body) => {
      const saved = await saveWebhook(wg, webhook?._id ?? null, body);
      notifyDone(t('webhooks.saved', { name: saved.name }));
      onClose();
      if (saved.secret !== null) onSecret(saved);
    },
  });
  const toggle = (event: WebhookEvent, isOn: boolean) =>
    set({ events: isOn ? [...values.events, event] : values.events.filter((other) => other !== event) });
  const chosen = values.tables ?? [];
  const names = [
    ...new Set([...chosen, ...tables.flatMap(({ table, isSystem }) => (isSystem ? [] : [table]))]),
  ];
  const eventsFault = faultOf('events');
  return (
    <FormDialog
      {...dialog}
      size="lg"
      title={webhook ? t('webhooks.editTitle', { name: webhook.name }) : t('webhooks.create')}
      onClose={onClose}
    >
      <TextInput {...field('name')} data-autofocus label={t('webhooks.name')} maxLength={80} />
      <TextInput
        type="url"
        label={t('webhooks.address')}
        description={t(webhook ? 'webhooks.addressStays' : 'webhooks.addressHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={webhook ? `https://${webhook.host}/…` : 'https://hooks.example.org/…'}
        value={values.address ?? ''}
        error={faultOf('address')}
        onChange={(event) => set({ address: event.currentTarget.value || undefined })}
      />
      <fieldset className={classes.events}>
        <legend className={classes.legend}>{t('webhooks.events')}</legend>
        {(Object.keys(WEBHOOK_AREAS) as WebhookArea[]).map((area) => (
          <div key={area} className={classes.area}>
            <div className={classes.areaName}>{t(`webhooks.areas.${area}`)}</div>
            <div className={classes.ticks}>
              {WEBHOOK_AREAS[area].map((event) => (
                <Checkbox
                  key={event}
                  label={t(`webhooks.event.${event.replace('.', '_')}`)}
                  checked={values.events.includes(event)}
                  onChange={({ currentTarget }) => toggle(event, currentTarget.checked)}
                />
              ))}
            </div>
          </div>
        ))}
        {eventsFault ? <p className={classes.fault}>{eventsFault}</p> : null}
      </fieldset>
      {values.events.includes('table.rows') ? (
        <MultiSelect
          label={t('webhooks.tables')}
          description={t('webhooks.tablesHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          searchable
          data={names}
          value={chosen}
          error={faultOf('tables')}
          onChange={(next) => set({ tables: next })}
        />
      ) : null}
      <p className={rows.words}>{t('webhooks.seeAll')}</p>
      <Switch
        label={t('webhooks.enabled')}
        checked={values.enabled}
        onChange={({ currentTarget }) => set({ enabled: currentTarget.checked })}
      />
    </FormDialog>
  );
}
