import type { Theme, Workgroup } from '@albedo/contract/workgroups/workgroups.schema';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { useLooks } from '../../app/looks.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { FormSkeleton } from '../../ui/skeletons.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { workgroupsQuery } from '../workgroups/workgroups.queries.ts';
import { BrandImageField } from './brand-image-field.tsx';
import classes from './branding.module.css';
import { removeWorkgroupImage, setWorkgroupImage, setWorkgroupTheme } from './branding.queries.ts';
import { draftOf, isComplete, themeOfDraft, typedTheme } from './theme-draft.ts';
import { ThemeFields } from './theme-fields.tsx';

/** How the app looks to everybody in the workgroup. */
export function WorkgroupAppearance() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const looks = useLooks();
  const { data, error, refetch } = useQuery(workgroupsQuery);
  const workgroup = data?.find(({ name }) => name === wg);
  if (error && !workgroup)
    return <ErrorState title={t('workgroup.failed')} error={error} onRetry={() => void refetch()} />;
  if (!workgroup) return <FormSkeleton fields={5} />;
  return (
    <div className={classes.sections}>
      <Section title={t('branding.theme')}>
        <ThemeForm key={JSON.stringify(workgroup.theme)} workgroup={workgroup} />
      </Section>
      <Section title={t('branding.images')}>
        <div className={classes.images}>
          {(['logo', 'favicon'] as const).map((kind) => (
            <BrandImageField
              key={kind}
              kind={kind}
              url={workgroup.images?.[kind] ? looks[kind] : null}
              onSet={(file) => setWorkgroupImage(wg, kind, file)}
              onRemove={() => removeWorkgroupImage(wg, kind)}
            />
          ))}
        </div>
      </Section>
    </div>
  );
}

function ThemeForm({ workgroup: { name, theme } }: { workgroup: Workgroup }) {
  const { t } = useTranslation();
  const { values, set, dialog } = useContractForm({
    schema: typedTheme,
    initial: draftOf(theme),
    send: async (wanted) => {
      await setWorkgroupTheme(name, Object.keys(wanted).length > 0 ? wanted : null);
      notifyDone(t('branding.saved'));
    },
  });
  const [isResetting, setResetting] = useState(false);
  const isChanged = !isSame(themeOfDraft(values), theme ?? {});

  return (
    <>
      <form className={classes.form} onSubmit={dialog.onSubmit}>
        <ThemeFields draft={values} onChange={set} />
        <Failure text={dialog.failure} />
        <div className={classes.buttons}>
          <Button type="submit" loading={dialog.isWorking} disabled={!isChanged || !isComplete(values)}>
            {t('actions.save')}
          </Button>
          {theme === null ? null : (
            <Button variant="default" onClick={() => setResetting(true)}>
              {t('branding.reset')}
            </Button>
          )}
        </div>
      </form>
      {/* Beside the form: what is submitted in a dialog inside of it would submit the form too. */}
      {isResetting ? (
        <ConfirmDialog
          confirm={t('branding.reset')}
          onClose={() => setResetting(false)}
          onConfirm={() => setWorkgroupTheme(name, null)}
        >
          {t('branding.resetText')}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

const isSame = (a: Theme, b: Theme): boolean => {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Theme>;
  return [...keys].every((key) => a[key] === b[key]);
};
