import type { EnergyConfigName } from '@albedo/contract/energy/energy.names';
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsUnbound } from '../../app/permissions.ts';
import { queryClient } from '../../app/query-client.ts';
import { useWorkgroup } from '../../app/session.ts';
import { UnsavedGuard } from '../../app/unsaved-guard.tsx';
import { VersionsButton } from '../../app/versions/versions-button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { FormSkeleton } from '../../ui/skeletons.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import classes from './energy-config.module.css';
import { configQuery, type KeptConfig } from './energy-config.queries.ts';
import { PreviewCard } from './preview-card.tsx';
import { type FieldsProps, useConfig } from './use-config.ts';

interface ConfigPageProps<Name extends EnergyConfigName> {
  name: Name;
  Fields: ComponentType<FieldsProps<Name>>;
  /** There is nothing of yesterday to show of it. */
  hasNoPreview?: boolean;
  /** What stands on the page and is saved by itself. */
  More?: ComponentType<{ wg: string }>;
}

/** One configuration: its fields, what yesterday would be with them, and the buttons that keep it. */
export function ConfigPage<Name extends EnergyConfigName>(props: ConfigPageProps<Name>) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(configQuery(wg, props.name));
  if (error && !data)
    return <ErrorState title={t('energyConfig.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <FormSkeleton fields={6} />;
  return <Editor wg={wg} kept={data} {...props} />;
}

interface EditorProps<Name extends EnergyConfigName> extends ConfigPageProps<Name> {
  wg: string;
  kept: KeptConfig<Name>;
}

function Editor<Name extends EnergyConfigName>({
  wg,
  kept,
  name,
  Fields,
  hasNoPreview,
  More,
}: EditorProps<Name>) {
  const { t } = useTranslation();
  const isUnbound = useIsUnbound();
  const config = useConfig(wg, name, kept);
  const { base, draft, isChanged, theirs } = config;
  const faults = Object.values(config.faults);
  return (
    <div className={classes.page}>
      <Text size="sm" c="dimmed">
        {t(`energyConfig.about.${name as EnergyConfigName}`)}
      </Text>
      <form noValidate onSubmit={config.handleSubmit} className={classes.form}>
        <fieldset disabled={!isUnbound} className={classes.fields}>
          <Fields value={draft} set={config.set} faultOf={config.faultOf} />
        </fieldset>
        <div className={classes.foot} data-is-changed={isChanged}>
          <Failure
            text={
              config.failure ??
              (faults.length > 0
                ? t('energyConfig.faults', { count: faults.length, first: faults[0] })
                : null)
            }
          />
          {isUnbound ? (
            <div className={classes.buttons}>
              <span className={classes.note} aria-live="polite">
                {t(
                  isChanged
                    ? 'energyConfig.unsaved'
                    : base.version === 0
                      ? 'energyConfig.neverSaved'
                      : 'energyConfig.isSaved',
                )}
              </span>
              {base.version > 0 ? (
                <VersionsButton
                  kind="report"
                  id={name}
                  name={t(`energy.configs.${name as EnergyConfigName}`)}
                  mayRestore={!isChanged}
                  onRestored={() =>
                    queryClient.invalidateQueries({ queryKey: configQuery(wg, name).queryKey })
                  }
                />
              ) : null}
              <Button variant="default" disabled={!isChanged} onClick={() => config.rebase(base)}>
                {t('energyConfig.discard')}
              </Button>
              <Button type="submit" loading={config.isWorking} disabled={!isChanged && base.version > 0}>
                {t('actions.save')}
              </Button>
            </div>
          ) : (
            <p className={classes.note}>{t('energyConfig.bound')}</p>
          )}
        </div>
      </form>
      {hasNoPreview || !isUnbound ? null : <PreviewCard wg={wg} name={name} value={draft} />}
      {More ? <More wg={wg} /> : null}
      <UnsavedGuard isChanged={isChanged} />
      {theirs ? (
        <ConflictDialog
          base={base.value}
          yours={draft}
          theirs={theirs.value}
          onTake={(value) => config.rebase(theirs, value)}
          onClose={() => config.setTheirs(null)}
        />
      ) : null}
    </div>
  );
}
