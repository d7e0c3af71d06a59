import type { Digest, QuietHours } from '@albedo/contract/notifications/notifications.schema';
import { Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../app/notify.ts';
import { Section } from '../../ui/section.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { saveSetting, useSettings } from '../settings/settings.queries.ts';
import { Followed } from './followed-section.tsx';
import classes from './notifications.module.css';
import { PushHere } from './push-section.tsx';
import { Weekdays } from './rota-dialog.tsx';

/** How a person wants to be told of incidents, a tab of their profile. */
export function OwnNotificationsPanel() {
  return (
    <>
      <PushHere />
      <Quiet />
      <DailyDigest />
      <Followed />
    </>
  );
}

const QUIET = (): QuietHours => ({
  from: '22:00',
  to: '06:00',
  zone: userZone(),
  days: [1, 2, 3, 4, 5, 6, 7],
  throughRanks: 1,
});

function Quiet() {
  const { t } = useTranslation();
  const { quietHours } = useSettings();
  const save = (value: QuietHours | undefined) =>
    saveSetting('quietHours', value).catch((error: unknown) => notifyFailure(t('profile.notSaved'), error));
  return (
    <Section title={t('notifications.quiet.title')}>
      <Stack gap="sm" maw={640}>
        <Switch
          label={t('notifications.quiet.enabled')}
          description={t('notifications.quiet.help')}
          checked={quietHours !== undefined}
          onChange={(event) => void save(event.currentTarget.checked ? QUIET() : undefined)}
        />
        {quietHours ? <QuietFields key={JSON.stringify(quietHours)} kept={quietHours} onSave={save} /> : null}
      </Stack>
    </Section>
  );
}

interface FieldsProps<T> {
  kept: T;
  onSave: (value: T) => Promise<void>;
}

function QuietFields({ kept, onSave }: FieldsProps<QuietHours>) {
  const { t } = useTranslation();
  const set = (part: Partial<QuietHours>) => {
    const next = { ...kept, ...part, zone: userZone() };
    if (next.from && next.to && next.from !== next.to && next.days.length > 0) void onSave(next);
  };
  return (
    <>
      <div className={classes.pair}>
        <TextInput
          type="time"
          label={t('notifications.from')}
          defaultValue={kept.from}
          onBlur={(event) =>
            event.currentTarget.value !== kept.from && set({ from: event.currentTarget.value })
          }
        />
        <TextInput
          type="time"
          label={t('notifications.to')}
          defaultValue={kept.to}
          onBlur={(event) => event.currentTarget.value !== kept.to && set({ to: event.currentTarget.value })}
        />
      </div>
      <Text size="sm" c="dimmed">
        {t('notifications.inZone', { zone: kept.zone })}
      </Text>
      <Weekdays label={t('notifications.quiet.days')} value={kept.days} onChange={(days) => set({ days })} />
      <Select
        label={t('notifications.quiet.through')}
        allowDeselect={false}
        data={[0, 1, 2].map((count) => ({
          value: String(count),
          label: t(`notifications.quiet.throughRanks.${count}` as 'notifications.quiet.throughRanks.0'),
        }))}
        value={String(Math.min(2, kept.throughRanks))}
        onChange={(count) => set({ throughRanks: Number(count) })}
      />
    </>
  );
}

function DailyDigest() {
  const { t } = useTranslation();
  const { digest } = useSettings();
  const save = (value: Digest | undefined) =>
    saveSetting('digest', value).catch((error: unknown) => notifyFailure(t('profile.notSaved'), error));
  return (
    <Section title={t('notifications.digest.title')}>
      <Stack gap="sm" maw={640}>
        <Switch
          label={t('notifications.digest.enabled')}
          description={t('notifications.digest.help')}
          checked={digest !== undefined}
          onChange={(event) =>
            void save(
              event.currentTarget.checked ? { at: '08:00', zone: userZone(), fromRank: 2 } : undefined,
            )
          }
        />
        {digest ? (
          <TextInput
            key={digest.at}
            type="time"
            label={t('notifications.digest.at')}
            description={t('notifications.inZone', { zone: digest.zone })}
            defaultValue={digest.at}
            onBlur={({ currentTarget: { value } }) =>
              value && value !== digest.at && void save({ ...digest, at: value, zone: userZone() })
            }
          />
        ) : null}
      </Stack>
    </Section>
  );
}
