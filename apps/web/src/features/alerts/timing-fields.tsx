import type { AlertWindow, NewAlert } from '@albedo/contract/alerts/alerts.schema';
import { NumberInput, Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { resolveZone, userZone } from '../../ui/time-range/time-zone.ts';
import { ZoneSelect } from '../../ui/time-range/zone-select.tsx';
import { hasPart } from './alert-draft.ts';
import classes from './alerts.module.css';
import { type AlertForm, numberIn } from './fields.ts';
import { WeekdayField } from './weekday-field.tsx';

const MINUTES = ['forMinutes', 'clearMinutes'] as const;
const WINDOWS = ['always', 'sun', 'weekly'] as const satisfies readonly AlertWindow['kind'][];

/** How long it has to hold, and at which times it counts. */
export function TimingFields({ form }: { form: AlertForm }) {
  const { t } = useTranslation();
  const { values, set, faultOf } = form;
  const { kind, window } = values;
  const put = (part: Partial<NewAlert>) => set(part);
  return (
    <div className={classes.fields}>
      <div className={classes.numbers}>
        {MINUTES.filter((name) => hasPart(kind, name)).map((name) => (
          <NumberInput
            key={name}
            label={t(`alerts.${name}`)}
            description={t(kind === 'event' ? 'alerts.eventClearHelp' : `alerts.${name}Help`)}
            min={0}
            suffix=" min"
            value={values[name]}
            error={faultOf(name)}
            onChange={(value) => put({ [name]: numberIn(value) ?? 0 })}
          />
        ))}
        {hasPart(kind, 'delaySeconds') ? (
          <NumberInput
            label={t('alerts.delay')}
            description={t('alerts.delayHelp')}
            min={0}
            max={3600}
            suffix=" s"
            value={values.delaySeconds}
            error={faultOf('delaySeconds')}
            onChange={(value) => put({ delaySeconds: numberIn(value) ?? 0 })}
          />
        ) : null}
      </div>
      <Select
        label={t('alerts.window')}
        description={t(`alerts.windowHelp.${window.kind}`)}
        allowDeselect={false}
        value={window.kind}
        error={window.kind === 'weekly' ? undefined : faultOf('window')}
        data={WINDOWS.map((value) => ({ value, label: t(`alerts.windows.${value}`) }))}
        onChange={(next) => put({ window: next === 'weekly' ? firstWeek() : { kind: next as 'always' } })}
      />
      {window.kind === 'weekly' ? (
        <WeekFields window={window} error={faultOf('window')} onChange={(next) => put({ window: next })} />
      ) : null}
    </div>
  );
}

type Week = Extract<AlertWindow, { kind: 'weekly' }>;

const firstWeek = (): Week => ({
  kind: 'weekly',
  zone: userZone(),
  days: [1, 2, 3, 4, 5],
  from: '08:00',
  to: '18:00',
});

interface WeekFieldsProps {
  window: Week;
  error: string | undefined;
  onChange: (window: Week) => void;
}

function WeekFields({ window, error, onChange }: WeekFieldsProps) {
  const { t } = useTranslation();
  const change = (part: Partial<Week>) => onChange({ ...window, ...part });
  return (
    <div className={classes.fields}>
      <WeekdayField days={window.days} onChange={(days) => change({ days })} />
      <div className={classes.numbers}>
        <TextInput
          label={t('alerts.from')}
          placeholder="08:00"
          maxLength={5}
          value={window.from}
          onChange={(event) => change({ from: event.currentTarget.value })}
        />
        <TextInput
          label={t('alerts.to')}
          description={t('alerts.toHelp')}
          placeholder="18:00"
          maxLength={5}
          value={window.to}
          error={error}
          onChange={(event) => change({ to: event.currentTarget.value })}
        />
        <ZoneSelect
          value={window.zone}
          onChange={(zone) => change({ zone: resolveZone(zone) })}
          select={{ label: t('alerts.zone') }}
        />
      </div>
    </div>
  );
}
