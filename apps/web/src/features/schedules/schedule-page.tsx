import { kindOfPath, providerOfPath } from '@albedo/contract/schedules/schedules.names';
import type { Schedule } from '@albedo/contract/schedules/schedules.schema';
import { Anchor, Button, Select, Textarea, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { UnsavedGuard } from '../../app/unsaved-guard.tsx';
import { useAttempt } from '../../app/use-submit.ts';
import { useSearchChange } from '../../ui/data-table/use-table-address.ts';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { FormSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { resolveZone } from '../../ui/time-range/time-zone.ts';
import { ZoneSelect } from '../../ui/time-range/zone-select.tsx';
import { HandOutDialog } from './hand-out-dialog.tsx';
import { kindText } from './holding-text.ts';
import { PathDialog } from './path-dialog.tsx';
import { PathEditor } from './path-editor.tsx';
import { useWhyNotShare } from './schedule-list.tsx';
import classes from './schedules.module.css';
import { removeShared, saveShared, sharedSchedulesQuery } from './schedules.queries.ts';
import { entriesOf, type Step } from './steps.ts';
import { useWhyNot } from './use-controlled.ts';
import { UsedBy } from './used-by.tsx';
import { readSetpoint } from './values.ts';
import { WhyButton } from './why-button.tsx';

/** One shared schedule: its steps for each setpoint, and the devices that have it. */
export function SharedSchedulePage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { schedule: id } = useParams({ strict: false }) as { schedule: string };
  const { data, error, refetch } = useQuery(sharedSchedulesQuery(wg));
  const schedule = data?.find(({ _id }) => _id === id) ?? null;
  const isNew = id === 'new';
  if (data && (schedule || isNew)) return <Opened key={id} schedule={schedule} />;
  return (
    <Page title={t('schedules.shared.one')} context={<Back />}>
      {error && !data ? (
        <ErrorState title={t('schedules.shared.failed')} error={error} onRetry={() => void refetch()} />
      ) : null}
      {data || error ? null : <FormSkeleton fields={6} />}
      {data ? <EmptyState title={t('schedules.gone')} text={t('schedules.shared.goneText')} /> : null}
    </Page>
  );
}

function Back() {
  const { t } = useTranslation();
  return (
    <Anchor underline="always" component={Link} to="/control/schedules" inherit>
      {t('menu.sharedSchedules')}
    </Anchor>
  );
}

type Plans = Readonly<Record<string, readonly Step[]>>;

const plansOf = (schedule: Schedule | null): Plans => {
  const plans: Record<string, Step[]> = {};
  for (const { path, datetime, value } of schedule?.entries ?? []) {
    plans[path] ??= [];
    plans[path].push({ at: Date.parse(datetime), value });
  }
  return plans;
};

const FIRST_PATH = 'operator/setpoint_activepower';

function Opened({ schedule }: { schedule: Schedule | null }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const whyNot = useWhyNotShare();
  const whyNotControl = useWhyNot();
  const search = useSearch({ strict: false }) as { setpoint?: string; zone?: string };
  const changeSearch = useSearchChange();
  const [opened, setOpened] = useState(schedule);
  const [name, setName] = useState(schedule?.name ?? '');
  const [description, setDescription] = useState(schedule?.description ?? '');
  const [plans, setPlans] = useState<Plans>(() => plansOf(schedule));
  const [extra, setExtra] = useState<string[]>([]);
  const [dialog, setDialog] = useState<'hand-out' | 'remove' | 'path' | null>(null);
  const [nameFault, setNameFault] = useState<string | null>(null);
  const { attempt, isWorking, failure } = useAttempt();
  const zone = resolveZone(search.zone);
  const paths = [...new Set([...Object.keys(plans), ...extra])].sort();
  if (paths.length === 0) paths.push(FIRST_PATH);
  const shown = paths.find((path) => path === search.setpoint) ?? paths[0] ?? FIRST_PATH;
  const entries = paths.flatMap((path) => entriesOf(path, plans[path] ?? []));
  const isChanged =
    opened === null ||
    JSON.stringify([name, description, plans]) !==
      JSON.stringify([opened.name, opened.description, plansOf(opened)]);
  const isBad = paths.some((path) =>
    (plans[path] ?? []).some(
      ({ at, value }, index, all) =>
        (value !== '' && readSetpoint(kindOfPath(path), value) === null) || all[index + 1]?.at === at,
    ),
  );
  const whyBad = entries.length === 0 ? t('schedules.noStepsText') : isBad ? t('schedules.badSteps') : null;
  const handleSave = () =>
    attempt(async () => {
      const trimmed = name.trim();
      setNameFault(trimmed === '' ? t('schedules.noName') : null);
      if (trimmed === '') return;
      const kept = await saveShared(wg, opened?._id ?? null, { name: trimmed, description, entries });
      setOpened(kept);
      setName(kept.name);
      setDescription(kept.description);
      setPlans(plansOf(kept));
      notifyDone(t('schedules.shared.saved'));
      if (!schedule)
        await navigate({
          to: '/control/schedules/$schedule',
          params: { schedule: kept._id },
          search: ((old: object) => old) as never,
          replace: true,
          ignoreBlocker: true,
        });
    });
  return (
    <Page
      title={schedule?.name ?? t('schedules.shared.newOne')}
      context={<Back />}
      actions={
        <>
          {schedule ? (
            <WhyButton variant="subtle" color="gray" why={whyNot} onClick={() => setDialog('remove')}>
              {t('schedules.remove')}
            </WhyButton>
          ) : null}
          {schedule ? (
            <WhyButton
              variant="default"
              why={whyNotControl ?? (isChanged ? t('schedules.shared.saveFirst') : null)}
              onClick={() => setDialog('hand-out')}
            >
              {t('schedules.handOut.do')}
            </WhyButton>
          ) : null}
          <WhyButton
            why={whyNot ?? whyBad ?? (isChanged ? null : t('schedules.shared.isSaved'))}
            loading={isWorking}
            onClick={() => void handleSave()}
          >
            {t('actions.save')}
          </WhyButton>
        </>
      }
    >
      <Failure text={failure} />
      <Section title={t('schedules.about')}>
        <div className={classes.form}>
          <TextInput
            label={t('schedules.name')}
            value={name}
            maxLength={120}
            readOnly={whyNot !== null}
            error={nameFault}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Textarea
            label={t('schedules.description')}
            value={description}
            maxLength={4000}
            rows={2}
            readOnly={whyNot !== null}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
        </div>
      </Section>
      <Section title={t('schedules.steps.title')} context={t('schedules.shared.stepsContext')}>
        <div className={classes.editor}>
          <div className={classes.tools}>
            <Select
              size="xs"
              aria-label={t('schedules.setpoint')}
              value={shown}
              allowDeselect={false}
              className={classes.pathField ?? ''}
              data={paths.map((path) => ({
                value: path,
                label: `${kindText(t, kindOfPath(path))} · ${providerOfPath(path)}`,
              }))}
              onChange={(path) =>
                path && changeSearch({ setpoint: path === paths[0] ? undefined : path }, { isStep: false })
              }
            />
            {whyNot ? null : (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconPlus size={16} />}
                onClick={() => setDialog('path')}
              >
                {t('schedules.shared.addPath')}
              </Button>
            )}
            <div className={classes.zoneField}>
              <ZoneSelect
                withProfile
                value={search.zone ?? ''}
                select={{ size: 'xs' }}
                onChange={(next) => changeSearch({ zone: next || undefined }, { isStep: false })}
              />
            </div>
          </div>
          <PathEditor
            key={`${shown} ${opened?.changedAt}`}
            path={shown}
            steps={plans[shown] ?? []}
            zone={zone}
            name={name || t('schedules.shared.newOne')}
            isReadOnly={whyNot !== null}
            onChange={(steps) =>
              setPlans((old) => {
                const { [shown]: _gone, ...others } = old;
                return steps.length === 0 ? others : { ...others, [shown]: steps };
              })
            }
          />
        </div>
      </Section>
      {schedule ? <UsedBy schedule={schedule} /> : null}
      {dialog === 'path' ? (
        <PathDialog
          onClose={() => setDialog(null)}
          onAdd={(path) => {
            setExtra((old) => [...old, path]);
            changeSearch({ setpoint: path }, { isStep: false });
            setDialog(null);
          }}
        />
      ) : null}
      {dialog === 'hand-out' && schedule ? (
        <HandOutDialog schedule={schedule} onClose={() => setDialog(null)} />
      ) : null}
      {dialog === 'remove' && schedule ? (
        <ConfirmDialog
          confirm={t('schedules.remove')}
          onClose={() => setDialog(null)}
          onConfirm={async () => {
            await removeShared(wg, schedule._id);
            await navigate({ to: '/control/schedules', ignoreBlocker: true });
          }}
        >
          {t('schedules.shared.removeText', { name: schedule.name })}
        </ConfirmDialog>
      ) : null}
      <UnsavedGuard isChanged={isChanged && entries.length > 0 && whyNot === null} />
    </Page>
  );
}
