import { foundIssue } from '@albedo/contract/http/issues';
import {
  type Channel,
  newChannel,
  type SavedChannel,
  WEBHOOK_TEMPLATES,
  type WebhookTemplate,
} from '@albedo/contract/notifications/notifications.schema';
import {
  Checkbox,
  PasswordInput,
  SegmentedControl,
  Select,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import rows from '../../ui/row-list.module.css';
import { saveChannel } from './notifications.queries.ts';

interface Fields {
  kind: 'email' | 'webhook';
  name: string;
  enabled: boolean;
  emails: string[];
  template: WebhookTemplate;
  address: string;
  token: string;
  phones: string[];
  renewSecret: boolean;
}

const NEW: Fields = {
  kind: 'email',
  name: '',
  enabled: true,
  emails: [],
  template: 'json',
  address: '',
  token: '',
  phones: [],
  renewSecret: false,
};

/** What of the fields belongs to the kind; what was left empty stays as it is. */
function bodyOf({
  kind,
  name,
  enabled,
  emails,
  template,
  address,
  token,
  phones,
  renewSecret,
}: Fields): unknown {
  if (kind === 'email') return { kind, name, enabled, emails };
  return {
    kind,
    name,
    enabled,
    template,
    renewSecret,
    phones: template === 'sms' ? phones : [],
    ...(address ? { address } : {}),
    ...(token ? { token } : {}),
  };
}

interface ChannelDialogProps {
  channel: Channel | null;
  /** Gets the secret of the signature where one was made. */
  onSecret: (saved: SavedChannel) => void;
  onClose: () => void;
}

/** Makes a channel, or changes one. */
export function ChannelDialog({ channel, onSecret, onClose }: ChannelDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { values, set, field, dialog } = useContractForm({
    schema: CHANNEL,
    initial: channel ? fieldsOf(channel) : NEW,
    refusals: { 'notify_channel.name_taken': 'name' },
    send: async (wanted) => {
      const saved = await saveChannel(wg, channel?._id ?? null, wanted);
      notifyDone(t('notifications.saved', { name: saved.name }));
      onClose();
      if (saved.secret !== null) onSecret(saved);
    },
  });
  const isWebhook = values.kind === 'webhook';
  const stays = channel?.kind === 'webhook' ? t('notifications.channels.stays') : '';
  return (
    <FormDialog
      {...dialog}
      size="lg"
      title={channel ? t('notifications.editTitle', { name: channel.name }) : t('notifications.channels.new')}
      onClose={onClose}
    >
      <SegmentedControl
        aria-label={t('notifications.channels.kind')}
        data={[
          { value: 'email', label: t('notifications.channels.email') },
          { value: 'webhook', label: t('notifications.channels.webhook') },
        ]}
        value={values.kind}
        onChange={(kind) => set({ kind: kind as Fields['kind'] })}
      />
      <TextInput {...field('name')} data-autofocus label={t('notifications.name')} maxLength={80} />
      {isWebhook ? (
        <>
          <Select
            {...field('template')}
            label={t('notifications.channels.template')}
            allowDeselect={false}
            data={WEBHOOK_TEMPLATES.map((value) => ({
              value,
              label: t(`notifications.channels.templates.${value}`),
            }))}
          />
          <TextInput
            {...field('address')}
            type="url"
            label={t('notifications.channels.address')}
            placeholder={channel?.host ? `https://${channel.host}/…` : ADDRESSES[values.template]}
            description={stays || t('notifications.channels.addressHelp')}
          />
          <PasswordInput
            {...field('token')}
            autoComplete="off"
            label={
              values.template === 'pagerduty'
                ? t('notifications.channels.routingKey')
                : t('notifications.channels.token')
            }
            description={channel?.hasToken ? stays : t('notifications.channels.tokenHelp')}
          />
          {values.template === 'sms' ? (
            <TagsInput
              {...field('phones')}
              label={t('notifications.channels.phones')}
              description={t('notifications.channels.phonesHelp')}
            />
          ) : null}
          {channel?.kind === 'webhook' ? (
            <Checkbox
              label={t('notifications.channels.renewSecret')}
              checked={values.renewSecret}
              onChange={(event) => set({ renewSecret: event.currentTarget.checked })}
            />
          ) : null}
        </>
      ) : (
        <TagsInput
          {...field('emails')}
          label={t('notifications.channels.emails')}
          description={t('notifications.channels.emailsHelp')}
        />
      )}
      <p className={rows.words}>{t('notifications.channels.seeAll')}</p>
      <Switch
        label={t('notifications.channels.enabled')}
        checked={values.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}

/** Where services take their messages. Source: their manuals; the others have an address for each channel. */
const ADDRESSES: Partial<Record<WebhookTemplate, string>> = {
  pagerduty: 'https://events.pagerduty.com/v2/enqueue',
  slack: 'https://hooks.slack.com/services/…',
  json: 'https://hooks.example.org/…',
};

const fieldsOf = ({ kind, name, enabled, emails, template, phones }: Channel): Fields => ({
  ...NEW,
  kind,
  name,
  enabled,
  emails,
  template: template ?? 'json',
  phones,
});

/** The schema of the contract, over the fields of both kinds. */
const CHANNEL = z.custom<Fields>().transform((fields, context) => {
  const { data, error } = newChannel.safeParse(bodyOf(fields));
  if (!error) return data;
  for (const issue of error.issues) context.addIssue({ ...foundIssue(issue, issue.path as string[]) });
  return z.NEVER;
});
