import { LONE_PHRASE } from '@albedo/contract/schedules/schedules.names';
import type { DeviceSetpoint } from '@albedo/contract/schedules/schedules.schema';
import { Button, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../app/call.ts';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { zoneLabel } from '../../ui/time-range/zoned-time.ts';
import { kindText } from './holding-text.ts';
import { LoneFields, useNeeds } from './lone-fields.tsx';
import { MomentField } from './moment-field.tsx';
import classes from './schedules.module.css';
import { overrideSetpoint } from './schedules.queries.ts';
import { ValueField } from './value-field.tsx';
import { FIRST_VALUE, faultOf, type Parts, partsOf, valueFrom, valueText } from './values.ts';
import { whenText } from './when-text.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** Ends that one press chooses, hours from now. */
const HOURS = [1, 2, 4, 8] as const;

interface OverrideDialogProps {
  setpoint: DeviceSetpoint;
  deviceName: string;
  zone: string;
  /** To nothing at all, which takes one person. */
  isStop: boolean;
  onClose: () => void;
}

/** Sets a value by hand, from now until an end. */
export function OverrideDialog({ setpoint, deviceName, zone, isStop, onClose }: OverrideDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(30_000);
  const policyNeeds = useNeeds();
  const { kind, path, deviceId } = setpoint;
  const [parts, setParts] = useState<Parts>(() => partsOf(kind, isStop ? '0%' : firstOf(setpoint)));
  const [until, setUntil] = useState(() => nextQuarter(Date.now() + HOUR));
  const [reason, setReason] = useState('');
  const [phrase, setPhrase] = useState('');
  const [faults, setFaults] = useState<{ value?: string; until?: string; reason?: string }>({});
  const isZero = kind === 'setpoint_activepower' && parts.number === 0;
  const [isAlone, setAlone] = useState(false);
  // A stop takes one person, unless the cloud says that this one would loosen something.
  const needs = isAlone ? 'loneOwner' : isZero ? 'nobody' : policyNeeds;
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const value = faultOf(kind, parts);
    const found = {
      ...(value ? { value } : {}),
      ...(until <= Date.now() ? { until: t('schedules.byHand.past') } : {}),
      ...(reason.trim() === '' ? { reason: t('schedules.noReason') } : {}),
    };
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    const body = { setpoint: path, value: valueFrom(kind, parts), until: new Date(until).toISOString() };
    const kept = await overrideSetpoint(wg, deviceId, {
      ...{ ...body, reason: reason.trim() },
      ...(needs === 'loneOwner' ? { phrase } : {}),
    }).catch((error: unknown) => {
      setAlone(error instanceof ApiError && error.error === 'schedule.alone');
      throw error;
    });
    notifyDone(t(kept.step === 'approval' ? 'schedules.asked' : 'schedules.byHand.sent'));
    onClose();
  });
  const text = faultOf(kind, parts) ? '…' : valueText(t, kind, valueFrom(kind, parts));
  return (
    <FormDialog
      title={t(isStop ? 'schedules.byHand.stopTitle' : `schedules.byHand.title.${kind}`, {
        device: deviceName,
      })}
      submit={t(
        needs === 'secondPerson' ? 'schedules.ask' : isZero ? 'schedules.stop' : 'schedules.byHand.do',
      )}
      isWorking={isWorking}
      isDisabled={needs === 'loneOwner' && phrase !== LONE_PHRASE}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <Text size="sm">
        {t(isZero ? 'schedules.byHand.stopSays' : 'schedules.byHand.says', {
          what: kindText(t, kind),
          value: text,
          until: whenText(until, zone, now),
        })}
      </Text>
      {isStop ? null : (
        <ValueField
          kind={kind}
          parts={parts}
          label={t('schedules.value')}
          fault={faults.value ?? null}
          onChange={setParts}
        />
      )}
      <div>
        <div className={classes.fieldLabel}>{t('schedules.until')}</div>
        <div className={classes.ends}>
          {HOURS.map((hours) => (
            <Button
              key={hours}
              size="compact-sm"
              variant="default"
              onClick={() => setUntil(nextQuarter(Date.now() + hours * HOUR))}
            >
              {`${hours} h`}
            </Button>
          ))}
        </div>
        <MomentField
          at={until}
          zone={zone}
          labels={{ date: t('schedules.date'), time: t('schedules.time') }}
          fault={faults.until ?? null}
          onChange={setUntil}
        />
        <Text size="xs" c="dimmed" mt={6}>
          {t('schedules.byHand.zone', { zone: zoneLabel(zone, until) })}
        </Text>
      </div>
      <Textarea
        label={t('schedules.reason')}
        placeholder={t('schedules.reasonExample')}
        rows={2}
        maxLength={500}
        value={reason}
        error={faults.reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {needs === 'secondPerson' ? (
        <Text size="sm" c="dimmed">
          {t('schedules.needs.secondPerson')}
        </Text>
      ) : null}
      {needs === 'loneOwner' ? <LoneFields phrase={phrase} onChange={setPhrase} /> : null}
    </FormDialog>
  );
}

/** A limit begins at 60 %, all else at what changes nothing. */
const firstOf = ({ kind }: DeviceSetpoint): string =>
  kind === 'setpoint_activepower' ? '60%' : FIRST_VALUE[kind];

/** A quarter of an hour that is not over yet. */
const nextQuarter = (at: number): number => Math.ceil(at / (15 * MINUTE)) * 15 * MINUTE;
