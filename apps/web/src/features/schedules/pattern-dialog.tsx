import type { SetpointKind } from '@albedo/contract/schedules/setpoints';
import { Checkbox, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { localeTag } from '../../ui/units/locale.ts';
import { daysOf, type Expanded, expandPattern } from './patterns.ts';
import classes from './schedules.module.css';
import { ValueField } from './value-field.tsx';
import { FIRST_VALUE, faultOf, type Parts, partsOf, valueFrom } from './values.ts';
import { dayAndClock } from './when-text.ts';

/** Days that one pattern goes over, about ten years. */
const MOST_DAYS = 3660;
/** Odd readings of clocks that are told one by one. */
const TOLD = 4;
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

interface PatternDialogProps {
  kind: SetpointKind;
  zone: string;
  /** The day that it begins with at first, `YYYY-MM-DD`. */
  day: string;
  onTake: (times: Expanded['times']) => void;
  onClose: () => void;
}

/** A value at the same hours of some weekdays, laid over the schedule. */
export function PatternDialog({ kind, zone, day, onTake, onClose }: PatternDialogProps) {
  const { t } = useTranslation();
  const [weekdays, setWeekdays] = useState(WEEKDAYS);
  const [hours, setHours] = useState({ from: '11:00', to: '15:00' });
  const [days, setDays] = useState({ firstDay: day, lastDay: day });
  const [parts, setParts] = useState<Parts>(() =>
    partsOf(kind, kind === 'setpoint_activepower' ? '60%' : FIRST_VALUE[kind]),
  );
  const count = daysOf(days);
  const fault = faultOf(kind, parts);
  const isComplete = [hours.from, hours.to].every((time) => /^\d{2}:\d{2}$/.test(time));
  const isFit = fault === null && isComplete && count > 0 && count <= MOST_DAYS;
  const expanded = isFit
    ? expandPattern({ ...hours, ...days, weekdays, value: valueFrom(kind, parts) }, zone)
    : { times: [], notes: [] };
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    onTake(expanded.times);
    onClose();
  });
  return (
    <FormDialog
      size="lg"
      title={t('schedules.pattern.title')}
      submit={t('schedules.pattern.take')}
      isWorking={isWorking}
      isDisabled={expanded.times.length === 0}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('schedules.pattern.text', { zone })}
      </Text>
      <ValueField kind={kind} parts={parts} label={t('schedules.value')} onChange={setParts} />
      <div className={classes.fields}>
        {(['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            type="time"
            label={t(name === 'from' ? 'schedules.from' : 'schedules.until')}
            value={hours[name]}
            onChange={({ currentTarget: { value } }) => setHours((old) => ({ ...old, [name]: value }))}
          />
        ))}
        {(['firstDay', 'lastDay'] as const).map((name) => (
          <TextInput
            key={name}
            type="date"
            label={t(`schedules.pattern.${name}`)}
            value={days[name]}
            error={
              name === 'lastDay' && (count === 0 || count > MOST_DAYS)
                ? t(count === 0 ? 'schedules.pattern.noDay' : 'schedules.pattern.tooLong')
                : null
            }
            onChange={({ currentTarget: { value } }) => setDays((old) => ({ ...old, [name]: value }))}
          />
        ))}
      </div>
      <Checkbox.Group
        label={t('schedules.pattern.weekdays')}
        value={weekdays.map(String)}
        onChange={(next) => setWeekdays(next.map(Number))}
      >
        <Group gap="sm" mt={4}>
          {WEEKDAYS.map((weekday) => (
            <Checkbox key={weekday} value={String(weekday)} label={weekdayText(weekday)} />
          ))}
        </Group>
      </Checkbox.Group>
      <div className={classes.preview} role="status">
        <p>
          {t('schedules.pattern.says', {
            count: expanded.times.length,
            first: expanded.times[0] ? dayAndClock(expanded.times[0].from, zone) : '',
          })}
        </p>
        {expanded.notes.slice(0, TOLD).map((note) => (
          <p key={`${note.day} ${note.time}`} className={classes.why}>
            {t(`schedules.pattern.${note.kind}`, {
              ...{ day: note.day, time: note.time, taken: dayAndClock(note.at, zone) },
            })}
          </p>
        ))}
        {expanded.notes.length > TOLD ? (
          <p className={classes.why}>
            {t('schedules.pattern.moreNotes', { count: expanded.notes.length - TOLD })}
          </p>
        ) : null}
      </div>
    </FormDialog>
  );
}

/** 4 January 2027 is a Monday. */
const weekdayText = (weekday: number): string =>
  new Intl.DateTimeFormat(localeTag(), { weekday: 'short', timeZone: 'UTC' }).format(
    Date.UTC(2027, 0, 3 + weekday),
  );
