import {
  MAILED_ROWS,
  type NewSchedule,
  newSchedule,
  RECIPIENTS,
  type SavedSearch,
  type SearchSchedule,
} from '@albedo/contract/searches/searches.schema';
import { Button, Group, Select, Skeleton, Switch, TagsInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { useSignedIn, useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { useWork } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { ZoneSelect } from '../../ui/time-range/zone-select.tsx';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { localeTag } from '../../ui/units/locale.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { removeSchedule, saveSchedule, scheduleQuery } from './searches.queries.ts';

interface ScheduleDialogProps {
  saved: SavedSearch;
  onClose: () => void;
}

/** When a search is mailed, and to whom: each user has a schedule of their own. */
export function ScheduleDialog({ saved, onClose }: ScheduleDialogProps) {
  const { data } = useQuery(scheduleQuery(useWorkgroup(), saved._id));
  if (data === undefined) return <Skeleton height={0} />;
  return <ScheduleForm saved={saved} kept={data} onClose={onClose} />;
}

/** The seven days, Monday first, as the user's language calls them. */
const weekdays = (): string[] =>
  Array.from({ length: 7 }, (_, day) =>
    new Intl.DateTimeFormat(localeTag(), { weekday: 'long', timeZone: 'UTC' }).format(
      Date.UTC(2026, 5, 1 + day),
    ),
  );

function ScheduleForm({ saved, kept, onClose }: ScheduleDialogProps & { kept: SearchSchedule | null }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { user } = useSignedIn();
  const initial: NewSchedule = {
    enabled: kept ? kept.enabled || kept.stopped !== null : true,
    frequency: kept?.frequency ?? 'daily',
    hour: kept?.hour ?? 6,
    weekday: kept?.weekday ?? 1,
    monthday: kept?.monthday ?? 1,
    timezone: kept?.timezone ?? userZone(),
    recipients: kept?.recipients ?? [user.email],
  };
  const { values, field, set, dialog, faultOf } = useContractForm({
    schema: newSchedule,
    initial,
    send: async (body) => {
      await saveSchedule(wg, saved._id, body);
      notifyDone(t('searches.scheduled'));
      onClose();
    },
  });
  const { isWorking, work } = useWork((error) => notifyFailure(t('searches.scheduleFailed'), error));
  const choices = (values_: readonly number[], text: (value: number) => string) =>
    values_.map((value) => ({ value: String(value), label: text(value) }));
  const number = (name: 'hour' | 'weekday' | 'monthday') => ({
    value: String(values[name]),
    allowDeselect: false,
    onChange: (value: string | null) => value !== null && set({ [name]: Number(value) }),
  });
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const days = weekdays();
  return (
    <FormDialog
      {...dialog}
      title={t('searches.scheduleTitle', { name: saved.name })}
      size="md"
      onClose={onClose}
      aside={
        kept ? (
          <Button
            variant="subtle"
            color="var(--al-danger)"
            loading={isWorking}
            onClick={() =>
              void work(async () => {
                await removeSchedule(wg, saved._id);
                notifyDone(t('searches.unscheduled'));
                onClose();
              })
            }
          >
            {t('searches.endSchedule')}
          </Button>
        ) : null
      }
    >
      <Switch
        label={t('searches.mailIt')}
        checked={values.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
      <TagsInput
        {...field('recipients')}
        error={faultOf('recipients')}
        data-autofocus
        label={t('searches.recipients')}
        description={t('searches.recipientsHelp')}
        maxTags={RECIPIENTS}
        splitChars={[',', ';', ' ']}
        acceptValueOnBlur
      />
      <Group grow align="start">
        <Select
          label={t('searches.frequency')}
          allowDeselect={false}
          value={values.frequency ?? 'daily'}
          data={newSchedule.shape.frequency.def.innerType.options.map((value) => ({
            value,
            label: t(`searches.frequencies.${value}`),
          }))}
          onChange={(value) => value !== null && set({ frequency: value as NewSchedule['frequency'] })}
        />
        {values.frequency === 'weekly' ? (
          <Select
            {...number('weekday')}
            label={t('searches.weekday')}
            data={choices(range(1, 7), (day) => days[day - 1] ?? '')}
          />
        ) : null}
        {values.frequency === 'monthly' ? (
          <Select
            {...number('monthday')}
            label={t('searches.monthday')}
            data={choices(range(1, 31), String)}
          />
        ) : null}
        {values.frequency === 'hourly' ? null : (
          <Select
            {...number('hour')}
            label={t('searches.hour')}
            data={choices(range(0, 23), (hour) => `${String(hour).padStart(2, '0')}:00`)}
          />
        )}
      </Group>
      <ZoneSelect
        value={values.timezone}
        onChange={(timezone) =>
          set({ timezone: timezone === 'utc' ? 'UTC' : timezone === 'local' ? userZone() : timezone })
        }
        select={{ label: t('time.zone'), error: faultOf('timezone') }}
      />
      <Text size="xs" c="dimmed">
        {t('searches.scheduleHelp', { most: formatWhole(MAILED_ROWS) })}
      </Text>
      {kept?.stopped ? (
        <Text size="sm" c="var(--al-danger)" role="alert">
          {t(`searches.stopped.${kept.stopped}`)}
        </Text>
      ) : null}
      {kept?.nextAt ? (
        <Text size="xs" c="dimmed">
          {t('searches.nextMail', { at: formatInstant(kept.nextAt, kept.timezone, false) })}
          {kept.sentAt
            ? ` ${t('searches.lastMail', { at: formatInstant(kept.sentAt, kept.timezone, false), count: kept.sentRecords ?? 0 })}`
            : ''}
        </Text>
      ) : null}
    </FormDialog>
  );
}
