import type { Device } from '@albedo/contract/devices/devices.schema';
import { kindOfPath } from '@albedo/contract/schedules/schedules.names';
import type { DeviceSchedule, DeviceSetpoint, Rehearsal } from '@albedo/contract/schedules/schedules.schema';
import { Anchor, Button, Text, Textarea, TextInput } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../app/call.ts';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { UnsavedGuard } from '../../app/unsaved-guard.tsx';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { FormSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { zoneLabel } from '../../ui/time-range/zoned-time.ts';
import { ApplyDialog } from './apply-dialog.tsx';
import { EndField } from './end-field.tsx';
import { bySetpoint } from './holding.ts';
import { kindText, nameText } from './holding-text.ts';
import { InverterTable } from './inverter-table.tsx';
import { placeOf, problemText, RehearsalPanel } from './rehearsal-panel.tsx';
import { ScheduleState } from './schedule-state.tsx';
import classes from './schedules.module.css';
import { rehearse, removeDraft, saveDraft } from './schedules.queries.ts';
import { StateBadge } from './state-badge.tsx';
import { StepEditor } from './step-editor.tsx';
import { endOf, entriesOf, stepsOf } from './steps.ts';
import { useControlled, useWhyNot } from './use-controlled.ts';
import { sortedSteps, useDraft } from './use-draft.ts';
import { readSetpoint } from './values.ts';
import { WhyButton } from './why-button.tsx';

/** One schedule of a device: its steps, a dry run, and the way to the device. */
export function DeviceSchedulePage() {
  const { t } = useTranslation();
  const params = useParams({ strict: false }) as { deviceId: string; schedule: string };
  const search = useSearch({ strict: false }) as { setpoint?: string };
  const now = useNow(60_000);
  const { device, setpoints, schedules, zone, error, retry } = useControlled(params.deviceId);
  const isNew = params.schedule === 'new';
  const schedule = schedules?.find(({ _id }) => _id === params.schedule) ?? null;
  const path = schedule?.setpoint ?? search.setpoint;
  const known = setpoints?.toSorted(bySetpoint);
  const setpoint = known?.find((one) => one.path === path) ?? (isNew ? known?.[0] : undefined);
  const isThere = device && setpoints && schedules;
  const isGone = isThere && !(isNew ? setpoint : schedule);
  const context = (
    <>
      <Anchor
        underline="always"
        component={Link}
        to="/control/devices/$deviceId"
        params={{ deviceId: params.deviceId } as never}
        search={(path ? { setpoint: path } : {}) as never}
        inherit
      >
        {device?.name ?? t('menu.deviceSchedules')}
      </Anchor>
      {path ? ` · ${kindText(t, kindOfPath(path))}, ${path}` : null}
      {device ? ` · ${t('schedules.siteTime', { zone: zoneLabel(zone, now) })}` : null}
    </>
  );
  if (!isThere || isGone || error)
    return (
      <Page title={t('schedules.one')} context={context}>
        {error ? <ErrorState title={t('schedules.failed')} error={error} onRetry={retry} /> : null}
        {isThere || error ? null : <FormSkeleton fields={6} />}
        {isGone ? <EmptyState title={t('schedules.gone')} text={t('schedules.goneText')} /> : null}
      </Page>
    );
  return (
    <Opened
      // What somebody else changed meanwhile is told when it is saved; what was saved here begins anew.
      key={schedule?._id ?? 'new'}
      device={device}
      setpointPath={setpoint?.path ?? schedule?.setpoint ?? ''}
      setpoint={setpoint}
      schedule={schedule}
      zone={zone}
      context={context}
    />
  );
}

interface OpenedProps {
  device: Device;
  setpointPath: string;
  /** Left out where the device has it no more. */
  setpoint: DeviceSetpoint | undefined;
  schedule: DeviceSchedule | null;
  zone: string;
  context: ReactNode;
}

function Opened({ device, setpointPath, setpoint, schedule, zone, context }: OpenedProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const whyNoRight = useWhyNot();
  const [opened, setOpened] = useState(schedule);
  const [isConflict, setConflict] = useState(false);
  const [name, setName] = useState(schedule?.name ?? '');
  const [description, setDescription] = useState(schedule?.description ?? '');
  const draft = useDraft({
    steps: schedule ? stepsOf(schedule) : [],
    end: schedule ? endOf(schedule) : null,
  });
  const [rehearsed, setRehearsed] = useState<{ of: string; result: Rehearsal } | null>(null);
  const [dialog, setDialog] = useState<'apply' | 'remove' | null>(null);
  const saving = useAttempt();
  const trying = useAttempt();
  const kind = kindOfPath(setpointPath);
  const steps = sortedSteps(draft);
  const body = {
    setpoint: setpointPath,
    name: name.trim() || t('schedules.unnamed', { kind: kindText(t, kind) }),
    description,
    entries: entriesOf(setpointPath, steps),
    until: draft.end === null ? null : new Date(draft.end).toISOString(),
  };
  const isChanged = opened === null || contentOf(body) !== contentOf(opened);
  const state = schedule?.state ?? 'draft';
  const isReadOnly =
    whyNoRight !== null ||
    state === 'pending' ||
    schedule?.origin === 'override' ||
    setpoint?.type === 'fixed';
  const badStep = steps.findIndex(({ value }) => value !== '' && readSetpoint(kind, value) === null);
  const isTwice = steps.some(({ at }, index) => steps[index + 1]?.at === at);
  const isEarlyEnd = draft.end !== null && draft.end <= (steps.at(-1)?.at ?? Number.NEGATIVE_INFINITY);
  const whyIncomplete =
    steps.length === 0
      ? t('schedules.noStepsText')
      : badStep >= 0 || isTwice
        ? t('schedules.badSteps')
        : isEarlyEnd
          ? t('schedules.earlyEnd')
          : null;
  const whyOffline = device.facts.online ? null : t('schedules.offline', { name: device.name });
  async function save(): Promise<DeviceSchedule> {
    if (!isChanged && opened) return opened;
    const kept = await saveDraft(wg, device.id, opened, body);
    setOpened(kept);
    return kept;
  }
  const rebase = (next: DeviceSchedule) => {
    setOpened(next);
    setName(next.name);
    setDescription(next.description);
    draft.restart({ steps: stepsOf(next), end: endOf(next) });
    setConflict(false);
  };
  // Somebody else changed it: who has changed nothing sees that at once.
  if (schedule && opened && schedule.changedAt > opened.changedAt && !isChanged) rebase(schedule);
  const open = (kept: DeviceSchedule) =>
    void navigate({
      to: '/control/devices/$deviceId/$schedule',
      params: { deviceId: device.id, schedule: kept._id },
      search: ((old: object) => old) as never,
      replace: true,
      ignoreBlocker: true,
    });
  const handleSave = () =>
    saving.attempt(async () => {
      try {
        const kept = await save();
        notifyDone(t('schedules.saved'));
        if (!schedule) open(kept);
      } catch (error) {
        const isConflict = error instanceof ApiError && error.error === 'schedule.changed';
        setConflict(isConflict);
        if (!isConflict) throw error;
      }
    });
  const handleSaveAsNew = () => saving.attempt(async () => open(await saveDraft(wg, device.id, null, body)));
  const tryOut = async () => {
    const { setpoint: path, entries, until } = body;
    const result = await rehearse(wg, device.id, { setpoint: path, entries, until });
    setRehearsed({ of: JSON.stringify([body.entries, body.until]), result });
    return result;
  };
  const isFresh = rehearsed?.of === JSON.stringify([body.entries, body.until]);
  const faults = new Map(
    isFresh
      ? rehearsed.result.problems.flatMap((problem): [number, string][] => {
          const place = placeOf(problem);
          return place === null ? [] : [[place, problemText(problem)]];
        })
      : [],
  );
  const buttons = (
    <>
      {schedule && !isReadOnly ? (
        <WhyButton
          variant="subtle"
          color="gray"
          why={state === 'applied' ? t('schedules.holdsStill') : null}
          onClick={() => setDialog('remove')}
        >
          {t('schedules.remove')}
        </WhyButton>
      ) : null}
      {isReadOnly ? null : (
        <Button
          variant="default"
          disabled={!isChanged || steps.length === 0 || whyIncomplete !== null}
          loading={saving.isWorking}
          onClick={() => void handleSave()}
        >
          {t('schedules.save')}
        </Button>
      )}
      {schedule?.origin === 'override' || state === 'pending' ? null : (
        <WhyButton
          why={
            whyNoRight ??
            whyOffline ??
            whyIncomplete ??
            (state === 'applied' && !isChanged ? t('schedules.isApplied') : null)
          }
          onClick={() => setDialog('apply')}
        >
          {t('schedules.applyTo')}
        </WhyButton>
      )}
    </>
  );
  return (
    <Page
      title={
        <span className={classes.titled}>
          {schedule ? titleOf(t, schedule) : t('schedules.newOne')}{' '}
          {schedule ? <StateBadge schedule={schedule} /> : null}
        </span>
      }
      context={context}
      actions={buttons}
    >
      {schedule ? <ScheduleState schedule={schedule} zone={zone} /> : null}
      <Failure text={saving.failure} />
      {isConflict && schedule ? (
        <div className={classes.card} role="alert">
          <div className={classes.words}>
            <Text size="sm" fw={600}>
              {t('schedules.conflict', { by: schedule.editors.at(-1) ?? schedule.author ?? '' })}
            </Text>
          </div>
          <Button size="xs" variant="default" onClick={() => rebase(schedule)}>
            {t('schedules.takeTheirs')}
          </Button>
          <Button size="xs" loading={saving.isWorking} onClick={() => void handleSaveAsNew()}>
            {t('schedules.saveAsNew')}
          </Button>
        </div>
      ) : null}
      {schedule && schedule.inverters.length > 0 ? (
        <Section title={t('schedules.inverters.title')}>
          <InverterTable inverters={schedule.inverters} />
        </Section>
      ) : null}
      <Section title={t('schedules.steps.title')} context={t('schedules.steps.context')}>
        <div className={classes.editor}>
          <StepEditor
            kind={kind}
            draft={draft}
            zone={zone}
            name={name || t('schedules.newOne')}
            isReadOnly={isReadOnly}
            faults={faults}
          />
          <EndField draft={draft} zone={zone} isReadOnly={isReadOnly} isEarly={isEarlyEnd} />
        </div>
      </Section>
      <Section title={t('schedules.about')}>
        <div className={classes.form}>
          <TextInput
            label={t('schedules.name')}
            value={name}
            maxLength={120}
            readOnly={isReadOnly}
            placeholder={body.name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Textarea
            label={t('schedules.description')}
            value={description}
            maxLength={4000}
            rows={2}
            readOnly={isReadOnly}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
        </div>
      </Section>
      <Section
        title={t('schedules.rehearsal.title')}
        context={t('schedules.rehearsal.context')}
        actions={
          <WhyButton
            size="xs"
            variant="default"
            why={whyNoRight ?? whyOffline ?? whyIncomplete}
            loading={trying.isWorking}
            onClick={() => void trying.attempt(async () => void (await tryOut()))}
          >
            {t('schedules.rehearsal.do')}
          </WhyButton>
        }
      >
        <Failure text={trying.failure} />
        {rehearsed && !isFresh ? <p className={classes.note}>{t('schedules.rehearsal.old')}</p> : null}
        {rehearsed ? <RehearsalPanel rehearsal={rehearsed.result} kind={kind} /> : null}
        {rehearsed || trying.failure ? null : <p className={classes.hint}>{t('schedules.rehearsal.none')}</p>}
      </Section>
      {dialog === 'apply' ? (
        <ApplyDialog
          deviceName={device.name}
          save={save}
          rehearse={tryOut}
          onDone={(applied) => {
            if (!schedule) open(applied);
          }}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === 'remove' && schedule ? (
        <ConfirmDialog
          confirm={t('schedules.remove')}
          onClose={() => setDialog(null)}
          onConfirm={async () => {
            await removeDraft(wg, schedule);
            await navigate({
              to: '/control/devices/$deviceId',
              params: { deviceId: device.id },
              ignoreBlocker: true,
            });
          }}
        >
          {t('schedules.removeText', { name: schedule.name })}
        </ConfirmDialog>
      ) : null}
      <UnsavedGuard isChanged={isChanged && steps.length > 0 && !isReadOnly} />
    </Page>
  );
}

const titleOf = (t: TFunction, schedule: DeviceSchedule): string =>
  schedule.origin === 'override' ? t('schedules.byHandOf', { value: nameText(t, schedule) }) : schedule.name;

/** What is compared to tell whether something was changed. */
const contentOf = ({
  name,
  description,
  entries,
  until,
}: Pick<DeviceSchedule, 'name' | 'description' | 'entries' | 'until'>): string =>
  JSON.stringify([
    name,
    description,
    entries.map(({ datetime, value }) => [Date.parse(datetime), value]),
    until === null ? null : Date.parse(until),
  ]);
