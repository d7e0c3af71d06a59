import {
  boundsChange,
  type DeviceSetpoint,
  type SetpointBounds,
} from '@albedo/contract/schedules/schedules.schema';
import { NumberInput, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { faultsOf } from '../../app/faults.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import classes from './schedules.module.css';
import { setBounds } from './schedules.queries.ts';

const NUMBERS = ['least', 'most', 'step', 'rampPerMinute', 'dwellMinutes', 'persistentWritesADay'] as const;
const FIELDS = [...NUMBERS, 'whenLost'] as const;
/** How a number ends. */
const ENDS = {
  least: '%',
  most: '%',
  step: '%',
  rampPerMinute: '%/min',
  dwellMinutes: 'min',
  persistentWritesADay: '',
} as const;

/** What schedules of a setpoint have to keep to. */
export function BoundsDialog({ setpoint, onClose }: { setpoint: DeviceSetpoint; onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { deviceId, path, kind } = setpoint;
  const [bounds, change] = useState<SetpointBounds>(setpoint.bounds);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const { error } = boundsChange.safeParse({ setpoint: path, bounds });
    setFaults(faultsOf(error, FIELDS));
    if (error) return;
    await setBounds(wg, deviceId, path, bounds);
    notifyDone(t('schedules.bounds.saved'));
    onClose();
  });
  const isShare = kind === 'setpoint_cosphi';
  return (
    <FormDialog
      size="lg"
      title={t('schedules.bounds.title', { path })}
      isWorking={isWorking}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t(`schedules.bounds.text.${kind}`)}
      </Text>
      <div className={classes.fields}>
        {NUMBERS.map((name, index) => (
          <NumberInput
            key={name}
            {...(index === 0 ? { 'data-autofocus': true } : {})}
            label={t(`schedules.bounds.fields.${name}`)}
            description={t(`schedules.bounds.help.${name}`)}
            placeholder={t('schedules.bounds.free')}
            suffix={ENDS[name] === '' || (isShare && ENDS[name].startsWith('%')) ? '' : ` ${ENDS[name]}`}
            value={bounds[name] ?? ''}
            error={faults[name]}
            onChange={(value) => change({ ...bounds, [name]: value === '' ? null : Number(value) })}
          />
        ))}
        <Select
          label={t('schedules.bounds.fields.whenLost')}
          description={t('schedules.bounds.help.whenLost')}
          value={bounds.whenLost ?? 'any'}
          allowDeselect={false}
          data={(['any', 'release', 'hold', 'value'] as const).map((value) => ({
            value,
            label: t(`schedules.bounds.lost.${value}`),
          }))}
          onChange={(value) =>
            change({ ...bounds, whenLost: value === 'any' ? null : (value as SetpointBounds['whenLost']) })
          }
        />
      </div>
    </FormDialog>
  );
}
