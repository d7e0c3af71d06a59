import type { Channel, SavedChannel } from '@albedo/contract/notifications/notifications.schema';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import rows from '../../ui/row-list.module.css';
import { Secret } from '../../ui/secret.tsx';
import { ShownOnceDialog } from '../../ui/shown-once-dialog.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { ChannelDialog } from './channel-dialog.tsx';
import classes from './notifications.module.css';
import { channelsQuery, removeChannel, testChannel } from './notifications.queries.ts';
import { SetupList } from './setup-list.tsx';

/** Where messages go beside people: lists of addresses, and webhooks. */
export function Channels() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [saved, setSaved] = useState<SavedChannel | null>(null);
  const test = async ({ _id, name }: Channel) => {
    const { ok, error } = await testChannel(wg, _id);
    if (ok) notifyDone(t('notifications.channels.tested', { name }));
    else notifyFailure(t('notifications.channels.testFailed', { name }), new Error(error ?? ''));
  };
  return (
    <>
      <SetupList
        kind="channels"
        query={channelsQuery(wg)}
        row={(channel) => <ChannelRow channel={channel} />}
        dialog={(channel, close) => <ChannelDialog channel={channel} onSecret={setSaved} onClose={close} />}
        remove={({ _id }) => removeChannel(wg, _id)}
        actions={(channel) => [
          {
            id: 'test',
            title: t('notifications.channels.test'),
            icon: <IconSend size={16} />,
            run: () => test(channel),
            failed: t('notifications.channels.testFailed', { name: channel.name }),
          },
        ]}
      />
      {saved ? <SigningSecret channel={saved} onClose={() => setSaved(null)} /> : null}
    </>
  );
}

function ChannelRow({ channel }: { channel: Channel }) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const { kind, emails, template, host, lastOkAt, failingSince, lastError, offReason, enabled } = channel;
  const where =
    kind === 'email'
      ? emails.join(', ')
      : `${t(`notifications.channels.templates.${template ?? 'json'}`)} · ${host}`;
  const off = offReason
    ? t(`notifications.channels.off.${offReason}`)
    : enabled
      ? null
      : t('notifications.channels.disabled');
  return (
    <>
      <div className={rows.name}>{channel.name}</div>
      <div className={rows.words}>{where}</div>
      {off ? <div className={offReason ? classes.failed : rows.words}>{off}</div> : null}
      {failingSince !== null ? (
        <div className={classes.failed}>
          {t('notifications.channels.failing', { ago: agoText(failingSince, now), error: lastError })}
        </div>
      ) : lastOkAt !== null ? (
        <div className={rows.words}>
          {t('notifications.channels.lastOk', { ago: agoText(lastOkAt, now) })}
        </div>
      ) : null}
    </>
  );
}

/** The secret that messages to a channel are signed with. */
function SigningSecret({ channel, onClose }: { channel: SavedChannel; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ShownOnceDialog
      title={t('notifications.channels.secretTitle', { name: channel.name })}
      kept={t('notifications.channels.kept')}
      onClose={onClose}
    >
      <p className={rows.words}>{t('notifications.channels.secretOnce')}</p>
      <Secret value={channel.secret ?? ''} label={t('notifications.channels.secret')} />
    </ShownOnceDialog>
  );
}
