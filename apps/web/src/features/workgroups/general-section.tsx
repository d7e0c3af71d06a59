import type { Workgroup } from '@albedo/contract/workgroups/workgroups.schema';
import { Autocomplete, Button, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LANDING } from '../../app/guard.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { usePages } from '../../app/use-pages.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import classes from './workgroups.module.css';
import { changeWorkgroup, setWorkgroupSetting, workgroupsQuery } from './workgroups.queries.ts';

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
          key={`${workgroup.displayName} ${String(workgroup.settings.defaultPage)}`}
          workgroup={workgroup}
        />
      ) : error ? (
        <ErrorState title={t('workgroup.failed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={220} />
      )}
    </Section>
  );
}

function GeneralForm({ workgroup }: { workgroup: Workgroup }) {
  const { t } = useTranslation();
  const pages = usePages();
  const kept = { name: workgroup.displayName, page: pageOf(workgroup) };
  const [name, setName] = useState(kept.name);
  const [page, setPage] = useState(kept.page);
  const [tried, setTried] = useState<'name' | 'page'>('name');
  const isChanged = { name: name.trim() !== kept.name, page: page.trim() !== kept.page };

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    setTried('name');
    if (isChanged.name) await changeWorkgroup(workgroup.name, { displayName: name });
    setTried('page');
    if (isChanged.page) await setWorkgroupSetting(workgroup.name, 'defaultPage', page.trim() || null);
    notifyDone(t('workgroup.settings.saved'));
  });

  return (
    <form className={classes.form} onSubmit={handleSubmit}>
      <div className={classes.id}>
        <span className={classes.label}>{t('workgroup.settings.id')}</span>
        <CopyId value={workgroup.name} label={t('workgroup.settings.id')} />
        <p className={classes.note}>{t('workgroup.settings.idHelp')}</p>
      </div>
      <TextInput
        name="displayName"
        label={t('workgroup.settings.displayName')}
        maxLength={120}
        value={name}
        error={tried === 'name' ? failure : null}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Autocomplete
        name="defaultPage"
        label={t('workgroup.settings.defaultPage')}
        description={t('workgroup.settings.defaultPageHelp', { page: LANDING })}
        placeholder={LANDING}
        data={pages}
        value={page}
        error={tried === 'page' ? failure : null}
        onChange={setPage}
      />
      <div>
        <Button
          type="submit"
          loading={isWorking}
          disabled={name.trim() === '' || !(isChanged.name || isChanged.page)}
        >
          {t('actions.save')}
        </Button>
      </div>
    </form>
  );
}

const pageOf = ({ settings }: Workgroup): string =>
  typeof settings.defaultPage === 'string' ? settings.defaultPage : '';
