import type { NewSuppression, Suppression } from '@albedo/contract/alerts/alerts.schema';
import { Group, MultiSelect, NumberInput, SegmentedControl, Select, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { calendarFields } from '../../ui/time-range/time-range.ts';
import { resolveZone, userZone } from '../../ui/time-range/time-zone.ts';
import { ZoneSelect } from '../../ui/time-range/zone-select.tsx';
import classes from './alerts.module.css';
import { alertsQuery, saveSuppression } from './alerts.queries.ts';
import { numberIn, suppressionSchema } from './fields.ts';
import { RECURRENCES, type Recurrence, recurrenceOf, ruleOf, weekdayOf } from './recurrence.ts';
import { ScopeField } from './scope-field.tsx';
import { WeekdayField } from './weekday-field.tsx';

interface SuppressionDialogProps {
  wg: string;
  /** Null for a new one. */
  suppression: Suppression | null;
  onClose: () => void;
}

/** A time in which alerts stay silent: when, how long, how often, and what it is about. */
export function SuppressionDialog({ wg, suppression, onClose }: SuppressionDialogProps) {
  const { t } = useTranslation();
  const { data: alerts = [] } = useQuery(alertsQuery(wg));
  const form = useContractForm({
    schema: suppressionSchema,
    initial: suppression ? writtenOf(suppression) : blank(),
    send: async (body) => {
      await saveSuppression(wg, suppression?._id ?? null, body);
      notifyDone(t('alerts.suppressionSaved', { name: body.name }));
      onClose();
    },
  });
  const { values, set, field, faultOf, dialog } = form;
  const [recurrence, setRecurrence] = useState(() => recurrenceOf(values.rrule, values.startsAt));
  const [date = '', time = ''] = values.startsAt.split('T');
  const repeat = (next: Recurrence, startsAt = values.startsAt) => {
    setRecurrence(next);
    set({ startsAt, rrule: ruleOf(next, startsAt) });
  };
  const isEndless = values.durationMinutes === null;
  return (
    <FormDialog
      size="lg"
      title={t(suppression ? 'alerts.changeSuppression' : 'alerts.newSuppression')}
      {...dialog}
      onClose={onClose}
    >
      <TextInput {...field('name')} data-autofocus label={t('alerts.name')} maxLength={120} />
      <TextInput
        {...field('reason')}
        label={t('alerts.reason')}
        placeholder={t('alerts.reasonExample')}
        maxLength={400}
      />
      <SegmentedControl
        aria-label={t('alerts.planKind')}
        value={values.kind}
        data={(['design', 'outOfService'] as const).map((value) => ({
          value,
          label: t(`alerts.planKinds.${value}`),
        }))}
        onChange={(kind) =>
          set({
            kind: kind as NewSuppression['kind'],
            ...(kind === 'design' && isEndless ? { durationMinutes: 60 } : {}),
          })
        }
      />
      <div className={classes.numbers}>
        <TextInput
          type="date"
          label={t('alerts.startDay')}
          value={date}
          error={faultOf('startsAt')}
          onChange={(event) => repeat(recurrence, `${event.currentTarget.value}T${time}`)}
        />
        <TextInput
          type="time"
          label={t('alerts.startTime')}
          value={time}
          onChange={(event) => set({ startsAt: `${date}T${event.currentTarget.value}` })}
        />
        <ZoneSelect
          value={values.zone}
          onChange={(zone) => set({ zone: resolveZone(zone) })}
          select={{ label: t('alerts.zone'), error: faultOf('zone') }}
        />
      </div>
      {values.kind === 'outOfService' && recurrence.kind === 'once' ? (
        <Switch
          label={t('alerts.endless')}
          checked={isEndless}
          onChange={(event) => set({ durationMinutes: event.currentTarget.checked ? null : 60 })}
        />
      ) : null}
      {isEndless ? null : (
        <LengthField
          minutes={values.durationMinutes ?? 60}
          error={faultOf('durationMinutes')}
          onChange={(durationMinutes) => set({ durationMinutes })}
        />
      )}
      <Select
        label={t('alerts.repeats')}
        allowDeselect={false}
        disabled={isEndless}
        value={recurrence.kind}
        error={recurrence.kind === 'own' ? undefined : faultOf('rrule')}
        data={RECURRENCES.map((value) => ({ value, label: t(`alerts.recur.${value}`) }))}
        onChange={(kind) => {
          if (kind === 'weekly') repeat({ kind, days: [weekdayOf(values.startsAt)] });
          else if (kind === 'own') repeat({ kind, rule: values.rrule ?? 'FREQ=DAILY' });
          else repeat({ kind: kind as 'once' });
        }}
      />
      {recurrence.kind === 'weekly' ? (
        <WeekdayField
          days={recurrence.days}
          // The last day stays: a week without one never comes.
          onChange={(days) => days.length > 0 && repeat({ kind: 'weekly', days })}
        />
      ) : null}
      {recurrence.kind === 'own' ? (
        <TextInput
          label={t('alerts.rule')}
          description={t('alerts.ruleHelp')}
          value={recurrence.rule}
          error={faultOf('rrule')}
          onChange={(event) => repeat({ kind: 'own', rule: event.currentTarget.value })}
        />
      ) : null}
      <MultiSelect
        searchable
        clearable
        label={t('alerts.ofAlerts')}
        placeholder={values.alerts.length === 0 ? t('alerts.allAlerts') : ''}
        error={faultOf('alerts')}
        value={values.alerts}
        data={alerts.map(({ _id, name }) => ({ value: _id, label: name }))}
        onChange={(chosen) => set({ alerts: chosen })}
      />
      <ScopeField
        scope={values.scope}
        table={null}
        error={faultOf('scope')}
        onChange={(scope) => set({ scope })}
      />
      <Switch
        label={t('alerts.planEnabled')}
        checked={values.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}

const UNITS = { min: 1, h: 60, d: 1440 } as const;
type Unit = keyof typeof UNITS;

interface LengthFieldProps {
  minutes: number;
  error: string | undefined;
  onChange: (minutes: number) => void;
}

/** A length in minutes, hours or days. */
function LengthField({ minutes, error, onChange }: LengthFieldProps) {
  const { t } = useTranslation();
  const [unit, setUnit] = useState<Unit>(() =>
    minutes % UNITS.d === 0 ? 'd' : minutes % UNITS.h === 0 ? 'h' : 'min',
  );
  return (
    <Group align="end" gap="xs" wrap="nowrap">
      <NumberInput
        flex={1}
        label={t('alerts.length')}
        min={0}
        value={minutes / UNITS[unit]}
        error={error}
        onChange={(value) => onChange(Math.round((numberIn(value) ?? 0) * UNITS[unit]))}
      />
      <SegmentedControl
        aria-label={t('alerts.lengthUnit')}
        value={unit}
        data={Object.keys(UNITS)}
        onChange={(next) => {
          setUnit(next as Unit);
          onChange(Math.round((minutes / UNITS[unit]) * UNITS[next as Unit]));
        }}
      />
    </Group>
  );
}

/** One hour from the next full one. */
function blank(): NewSuppression {
  const zone = userZone();
  const { date, time } = calendarFields(Math.ceil(Date.now() / 3_600_000) * 3_600_000, zone);
  return {
    name: '',
    kind: 'design',
    enabled: true,
    reason: '',
    scope: { kind: 'all' },
    alerts: [],
    zone,
    startsAt: `${date}T${time}`,
    durationMinutes: 60,
    rrule: null,
  };
}

/** The part that is written. */
function writtenOf(suppression: Suppression): NewSuppression {
  const { _id, createdBy, isActive, nextAt, ...written } = suppression;
  return written;
}
