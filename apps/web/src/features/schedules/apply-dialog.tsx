import { LONE_PHRASE, TRIAL_MINUTES } from '@albedo/contract/schedules/schedules.names';
import type { DeviceSchedule, Rehearsal } from '@albedo/contract/schedules/schedules.schema';
import { SegmentedControl, Skeleton, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { messageOf } from '../../ui/message-of.ts';
import { formatValue } from '../../ui/units/units.ts';
import { LoneFields, useNeeds } from './lone-fields.tsx';
import { problemText } from './rehearsal-panel.tsx';
import classes from './schedules.module.css';
import { type Applying, applySchedule } from './schedules.queries.ts';

interface ApplyDialogProps {
  deviceName: string;
  /** Keeps what stands on screen first, where it was changed. */
  save: () => Promise<DeviceSchedule>;
  rehearse: () => Promise<Rehearsal>;
  onDone: (schedule: DeviceSchedule) => void;
  onClose: () => void;
}

/** For good or as a trial, after a dry run; asks for whom the policy names. */
export function ApplyDialog({ deviceName, save, rehearse, onDone, onClose }: ApplyDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const policyNeeds = useNeeds();
  const [trial, setTrial] = useState('none');
  const [reason, setReason] = useState('');
  const [phrase, setPhrase] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const { data: rehearsal, error } = useQuery({
    queryKey: ['rehearsal-before-apply'],
    queryFn: rehearse,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const needs = rehearsal?.needs ?? policyNeeds;
  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    const text = reason.trim();
    const isMissing = text === '' && needs === 'loneOwner';
    setFault(isMissing ? t('schedules.noReason') : null);
    if (isMissing) return;
    const how: Applying = {
      trialMinutes: TRIAL_MINUTES.find((minutes) => String(minutes) === trial) ?? null,
      ...(text === '' ? {} : { reason: text }),
      ...(needs === 'loneOwner' ? { phrase } : {}),
    };
    const applied = await applySchedule(wg, await save(), how);
    notifyDone(t(applied.step === 'approval' ? 'schedules.asked' : 'schedules.isSending'));
    onDone(applied);
    onClose();
  });
  const problems = rehearsal?.problems ?? [];
  const isBlocked = problems.some(({ blocks }) => blocks);
  const isLone = needs === 'loneOwner';
  return (
    <FormDialog
      size="lg"
      title={t('schedules.applyTitle', { device: deviceName })}
      submit={t(needs === 'secondPerson' ? 'schedules.ask' : 'schedules.apply')}
      isWorking={isWorking}
      isDisabled={(!rehearsal && !error) || isBlocked || (isLone && phrase !== LONE_PHRASE)}
      failure={failure}
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      {!rehearsal && !error ? (
        <div role="status" aria-label={t('schedules.rehearsal.running')}>
          <Skeleton height={44} />
        </div>
      ) : null}
      {error ? (
        <Text size="sm" className={classes.trouble}>
          {t('schedules.rehearsal.failed', { why: messageOf(error) })}
        </Text>
      ) : null}
      {rehearsal && !isBlocked ? (
        <Text size="sm">
          {t('schedules.rehearsal.fine', {
            reached: rehearsal.inverters.filter(({ isReached }) => isReached).length,
            count: rehearsal.inverters.length,
          })}{' '}
          {rehearsal.curtailedKwh === null
            ? t('schedules.rehearsal.noLoss', { why: rehearsal.curtailedWhy ?? '' })
            : t('schedules.rehearsal.loss', { energy: formatValue(rehearsal.curtailedKwh, 'kWh') })}
        </Text>
      ) : null}
      {problems.length > 0 ? (
        <ul className={classes.faults} role={isBlocked ? 'alert' : 'status'}>
          {problems.map((problem) => (
            <li key={`${problem.part} ${problem.message}`}>{problemText(problem)}</li>
          ))}
        </ul>
      ) : null}
      <div>
        <div className={classes.fieldLabel} id="apply-trial">
          {t('schedules.how')}
        </div>
        <SegmentedControl
          fullWidth
          aria-labelledby="apply-trial"
          value={trial}
          onChange={setTrial}
          data={[
            { value: 'none', label: t('schedules.forGood') },
            ...TRIAL_MINUTES.map((minutes) => ({
              value: String(minutes),
              label: t('schedules.trial.of', { minutes }),
            })),
          ]}
        />
        <Text size="xs" c="dimmed" mt={6}>
          {t(trial === 'none' ? 'schedules.forGoodText' : 'schedules.trial.text')}
        </Text>
      </div>
      <Textarea
        label={t(isLone ? 'schedules.reason' : 'schedules.reasonOptional')}
        description={t('schedules.reasonHelp')}
        rows={2}
        maxLength={500}
        value={reason}
        error={fault}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {isLone ? null : (
        <Text size="sm" c="dimmed">
          {t(rehearsal?.isStop ? 'schedules.needs.stop' : `schedules.needs.${needs}`)}
        </Text>
      )}
      {isLone ? <LoneFields phrase={phrase} onChange={setPhrase} /> : null}
    </FormDialog>
  );
}
