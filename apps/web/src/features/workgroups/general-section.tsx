import { IDLE_MINUTES } from '@albedo/contract/sessions/sessions.schema';
import { WORKGROUP_SETTINGS } from '@albedo/contract/workgroups/workgroup-settings.schema';
import { type Workgroup, workgroupChange } from '@albedo/contract/workgroups/workgroups.schema';
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { boardsQuery } from '../../app/boards-query.ts';
import { LANDING } from '../../app/guard.ts';
import { LandingSelect } from '../../app/landing-select.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { FormSkeleton } from '../../ui/skeletons.tsx';
import { ErrorState } from '../../ui/states.tsx';
import classes from './workgroups.module.css';
import { changeWorkgroup, setWorkgroupSetting, workgroupsQuery } from './workgroups.queries.ts';

const general = z.object({
  displayName: workgroupChange.shape.displayName.unwrap(),
  /** Empty for the page that the product opens with. */
  defaultPage: z
    .string()
    .trim()
    .transform((page) => page || null)
    .pipe(WORKGROUP_SETTINGS.defaultPage.nullable()),
  /** Empty for sessions that last their ten hours whatever happens. */
  inactivityMinutes: z
    .string()
    .trim()
    .transform((minutes) => (minutes === '' ? null : Number(minutes)))
    .pipe(WORKGROUP_SETTINGS.inactivityMinutes.nullable()),
});

/** What the workgroup is called, and where its members start. */
export function GeneralSection() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(workgroupsQuery);
  const workgroup = data?.find(({ name }) => name === wg);
  return (
    <Section title={t('workgroup.settings.general')}>
      {workgroup ? (
        <GeneralForm
          key={`${workgroup.displayName} ${pageOf(workgroup)} ${minutesOf(workgroup)}`}
          workgroup={workgroup}
        />
      ) : error ? (
        <ErrorState title={t('workgroup.failed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <FormSkeleton fields={3} />
      )}
    </Section>
  );
}

function GeneralForm({ workgroup }: { workgroup: Workgroup }) {
  const { t } = useTranslation();
  const { data: boards } = useQuery(boardsQuery(workgroup.name));
  const kept = {
    displayName: workgroup.displayName,
    defaultPage: pageOf(workgroup),
    inactivityMinutes: minutesOf(workgroup),
  };
  const { values, set, field, faultOf, dialog } = useContractForm({
    schema: general,
    initial: kept,
    refusals: { 'workgroup.setting_invalid': 'defaultPage' },
    send: async ({ displayName, defaultPage, inactivityMinutes }) => {
      if (isChanged.displayName) await changeWorkgroup(workgroup.name, { displayName });
      if (isChanged.defaultPage) await setWorkgroupSetting(workgroup.name, 'defaultPage', defaultPage);
      if (isChanged.inactivityMinutes)
        await setWorkgroupSetting(workgroup.name, 'inactivityMinutes', inactivityMinutes);
      notifyDone(t('workgroup.settings.saved'));
    },
  });
  const isChanged = {
    displayName: values.displayName.trim() !== kept.displayName,
    defaultPage: values.defaultPage.trim() !== kept.defaultPage,
    inactivityMinutes: values.inactivityMinutes.trim() !== kept.inactivityMinutes,
  };

  return (
    <form noValidate className={classes.form} onSubmit={dialog.onSubmit}>
      <div className={classes.id}>
        <span className={classes.label}>{t('workgroup.settings.id')}</span>
        <CopyId value={workgroup.name} label={t('workgroup.settings.id')} />
        <p className={classes.note}>{t('workgroup.settings.idHelp')}</p>
      </div>
      <TextInput
        {...field('displayName')}
        name="displayName"
        label={t('workgroup.settings.displayName')}
        maxLength={120}
      />
      <LandingSelect
        label={t('workgroup.settings.defaultPage')}
        description={t('workgroup.settings.defaultPageHelp', { page: LANDING })}
        error={faultOf('defaultPage')}
        boards={boards}
        value={values.defaultPage}
        onChange={(defaultPage) => set({ defaultPage })}
      />
      <TextInput
        {...field('inactivityMinutes')}
        name="inactivityMinutes"
        inputMode="numeric"
        label={t('workgroup.settings.inactivity')}
        description={t('workgroup.settings.inactivityHelp', IDLE_MINUTES)}
        maxLength={3}
      />
      <Failure text={dialog.failure} />
      <div>
        <Button
          type="submit"
          loading={dialog.isWorking}
          disabled={values.displayName.trim() === '' || !Object.values(isChanged).includes(true)}
        >
          {t('actions.save')}
        </Button>
      </div>
    </form>
  );
}

const pageOf = ({ settings }: Workgroup): string =>
  typeof settings.defaultPage === 'string' ? settings.defaultPage : '';

const minutesOf = ({ settings }: Workgroup): string =>
  typeof settings.inactivityMinutes === 'number' ? String(settings.inactivityMinutes) : '';
