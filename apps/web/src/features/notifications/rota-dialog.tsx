import { type Notifiable, newRota, type Rota } from '@albedo/contract/notifications/notifications.schema';
import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import rows from '../../ui/row-list.module.css';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { ZoneSelect } from '../../ui/time-range/zone-select.tsx';
import { localeTag } from '../../ui/units/locale.ts';
import { fromLocal, toLocal } from './local-time.ts';
import classes from './notifications.module.css';
import { peopleQuery, saveRota } from './notifications.queries.ts';

type Input = z.input<typeof newRota>;

const newOne = (): Input => ({
  name: '',
  zone: userZone(),
  members: [],
  startsOn: new Date().toISOString().slice(0, 10),
  handover: '08:00',
  shiftDays: 7,
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  overrides: [],
});

const inputOf = ({
  name,
  zone,
  members,
  startsOn,
  handover,
  shiftDays,
  weekdays,
  overrides,
}: Rota): Input => ({
  name,
  zone,
  members,
  startsOn,
  handover,
  shiftDays,
  weekdays,
  overrides,
});

/** Makes a rota, or changes one with its overrides. */
export function RotaDialog({ rota, onClose }: { rota: Rota | null; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: people = [] } = useQuery(peopleQuery(wg));
  const { values, set, field, faultOf, dialog } = useContractForm({
    schema: newRota,
    initial: rota ? inputOf(rota) : newOne(),
    refusals: { 'rota.name_taken': 'name' },
    send: async (wanted) => {
      await saveRota(wg, rota?._id ?? null, wanted);
      notifyDone(t('notifications.saved', { name: wanted.name }));
      onClose();
    },
  });
  return (
    <FormDialog
      {...dialog}
      size="lg"
      title={rota ? t('notifications.editTitle', { name: rota.name }) : t('notifications.rotas.new')}
      failure={dialog.failure ?? faultOf('overrides') ?? null}
      onClose={onClose}
    >
      <TextInput {...field('name')} data-autofocus label={t('notifications.name')} maxLength={80} />
      <MultiSelect
        {...field('members')}
        label={t('notifications.rotas.members')}
        description={t('notifications.rotas.membersHelp')}
        searchable
        data={optionsOf(people)}
      />
      <div className={classes.pair}>
        <TextInput {...field('startsOn')} type="date" label={t('notifications.rotas.startsOn')} />
        <TextInput {...field('handover')} type="time" label={t('notifications.rotas.handover')} />
        <NumberInput
          {...field('shiftDays')}
          label={t('notifications.rotas.shiftDays')}
          min={1}
          max={28}
          allowDecimal={false}
        />
        <ZoneSelect
          value={values.zone}
          onChange={(zone) => set({ zone })}
          select={{ label: t('notifications.zone'), error: faultOf('zone') }}
        />
      </div>
      <Weekdays
        label={t('notifications.rotas.weekdays')}
        value={values.weekdays ?? []}
        error={faultOf('weekdays')}
        onChange={(weekdays) => set({ weekdays })}
      />
      <Overrides
        values={values.overrides ?? []}
        people={people}
        onChange={(overrides) => set({ overrides })}
      />
    </FormDialog>
  );
}

export const optionsOf = (people: readonly Notifiable[]) =>
  people.map(({ _id, name }) => ({ value: _id, label: name }));

interface WeekdaysProps {
  label: string;
  value: readonly number[];
  error?: string | undefined;
  onChange: (days: number[]) => void;
}

export function Weekdays({ label, value, error, onChange }: WeekdaysProps) {
  const nameOf = new Intl.DateTimeFormat(localeTag(), { weekday: 'short', timeZone: 'UTC' });
  return (
    <Checkbox.Group
      label={label}
      error={error}
      value={value.map(String)}
      onChange={(days) => onChange(days.map(Number).toSorted((a, b) => a - b))}
    >
      <Group gap="sm" mt={4}>
        {[1, 2, 3, 4, 5, 6, 7].map((day) => (
          // 5 January 1970 was a Monday.
          <Checkbox key={day} value={String(day)} label={nameOf.format((day + 3) * 86_400_000)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

type Override = NonNullable<Input['overrides']>[number];

function Overrides({
  values,
  people,
  onChange,
}: {
  values: readonly Override[];
  people: readonly Notifiable[];
  onChange: (all: Override[]) => void;
}) {
  const { t } = useTranslation();
  const change = (at: number, part: Partial<Override>) =>
    onChange(values.map((one, index) => (index === at ? { ...one, ...part } : one)));
  const add = () => {
    const from = Math.ceil(Date.now() / 3_600_000) * 3_600_000;
    onChange([...values, { user: people[0]?._id ?? null, from, to: from + 12 * 3_600_000 }]);
  };
  return (
    <fieldset style={{ padding: 0, border: 0 }}>
      <legend className={rows.name}>{t('notifications.rotas.overrides')}</legend>
      {values.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no other name, and none moves.
        <div key={at} className={classes.step} style={{ marginTop: 8 }}>
          <div className={classes.stepHead}>
            <Select
              label={t('notifications.rotas.instead')}
              clearable
              placeholder={t('notifications.rotas.nobody')}
              data={optionsOf(people)}
              value={one.user}
              onChange={(user) => change(at, { user })}
              style={{ flex: 1 }}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('notifications.rotas.dropOverride')}
              onClick={() => onChange(values.filter((_, index) => index !== at))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </div>
          <div className={classes.pair}>
            <TextInput
              type="datetime-local"
              label={t('notifications.from')}
              value={toLocal(one.from)}
              onChange={(event) => change(at, { from: fromLocal(event.currentTarget.value) ?? one.from })}
            />
            <TextInput
              type="datetime-local"
              label={t('notifications.to')}
              value={toLocal(one.to)}
              onChange={(event) => change(at, { to: fromLocal(event.currentTarget.value) ?? one.to })}
            />
          </div>
        </div>
      ))}
      <Button mt={8} size="xs" variant="default" leftSection={<IconPlus size={16} />} onClick={add}>
        {t('notifications.rotas.addOverride')}
      </Button>
    </fieldset>
  );
}
