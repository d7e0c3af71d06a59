import { type Incident, SHELF_DAYS } from '@albedo/contract/incidents/incidents.schema';
import { SegmentedControl, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { incidentText } from '../../app/incidents/incident-text.ts';
import { shelve } from '../../app/incidents/incidents-query.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { calendarFields, fromCalendarFields } from '../../ui/time-range/time-range.ts';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant, zoneLabel } from '../../ui/time-range/zoned-time.ts';
import classes from './incidents.module.css';

const HOUR = 3_600_000;
/** Ends that one press chooses, hours from now. */
const ENDS = [1, 8, 24, 24 * 3, 24 * SHELF_DAYS] as const;

interface ShelveDialogProps {
  incidents: readonly Incident[];
  onClose: () => void;
  onDone?: () => void;
}

/** Silences incidents until a time, with a reason; nobody hears of them before. */
export function ShelveDialog({ incidents, onClose, onDone }: ShelveDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const zone = userZone();
  const [now] = useState(Date.now);
  const [reason, setReason] = useState('');
  const [hours, setHours] = useState<string>('8');
  const [own, setOwn] = useState(() => calendarFields(now + 8 * HOUR, zone));
  const [faults, setFaults] = useState<{ reason?: string; until?: string }>({});
  const untilAt = hours === 'own' ? fromCalendarFields(own.date, own.time, zone) : now + Number(hours) * HOUR;
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const isInRange = untilAt !== null && untilAt > Date.now() && untilAt <= now + SHELF_DAYS * 24 * HOUR;
    const found = {
      ...(reason.trim() === '' ? { reason: t('incidents.shelf.noReason') } : {}),
      ...(isInRange ? {} : { until: t('incidents.shelf.badEnd', { days: SHELF_DAYS }) }),
    };
    setFaults(found);
    if (untilAt === null || Object.keys(found).length > 0) return;
    // A little before the limit, for clocks that do not agree.
    const until = Math.min(untilAt, Date.now() + SHELF_DAYS * 24 * HOUR - 60_000);
    for (const { _id } of incidents) await shelve(wg, _id, { reason: reason.trim(), until });
    notifyDone(t('incidents.shelf.done', { count: incidents.length }));
    onDone?.();
    onClose();
  });
  const [only] = incidents;
  return (
    <FormDialog
      title={t('incidents.shelf.title', { count: incidents.length })}
      submit={t('incidents.shelve')}
      isWorking={isWorking}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <Text size="sm">
        {incidents.length === 1 && only ? incidentText(t, only) : null} {t('incidents.shelf.text')}
      </Text>
      <TextInput
        data-autofocus
        label={t('incidents.shelf.reason')}
        placeholder={t('incidents.shelf.reasonExample')}
        maxLength={400}
        value={reason}
        error={faults.reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <div>
        <div className={classes.fieldLabel} id="shelf-end">
          {t('incidents.shelf.until')}
        </div>
        <SegmentedControl
          fullWidth
          aria-labelledby="shelf-end"
          value={hours}
          onChange={setHours}
          data={[
            ...ENDS.map((count) => ({
              value: String(count),
              label: count < 24 ? `${count} h` : `${count / 24} d`,
            })),
            { value: 'own', label: t('incidents.shelf.own') },
          ]}
        />
        {hours === 'own' ? (
          <div className={classes.ownEnd}>
            <TextInput
              type="date"
              aria-label={t('incidents.shelf.date')}
              value={own.date}
              error={faults.until}
              onChange={({ currentTarget: { value } }) => setOwn((old) => ({ ...old, date: value }))}
            />
            <TextInput
              type="time"
              aria-label={t('incidents.shelf.time')}
              value={own.time}
              onChange={({ currentTarget: { value } }) => setOwn((old) => ({ ...old, time: value }))}
            />
          </div>
        ) : null}
        <Text size="xs" c="dimmed" mt={6}>
          {untilAt === null
            ? '\u00a0'
            : t('incidents.shelf.endsAt', {
                at: formatInstant(untilAt, zone, false),
                zone: zoneLabel(zone, untilAt),
              })}
        </Text>
      </div>
    </FormDialog>
  );
}
