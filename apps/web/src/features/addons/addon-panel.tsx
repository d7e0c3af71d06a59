import {
  type AvailableAddon,
  type MachinePluginsSettings,
  machinePluginsSettings,
} from '@albedo/contract/workgroups/addons.schema';
import { Button, Switch, TagsInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { useSignedIn, useWorkgroup } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { useWork } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { FormSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import classes from './addons.module.css';
import { addonsQuery, changeAddon, disableAddon, enableAddon } from './addons.queries.ts';

/** Those of the workgroup on screen. */
export const AddonsPage = () => <AddonPanel wg={useWorkgroup()} />;

/** What the provider enabled for the workgroup. Addon managers alone see what else there is, and change it. */
export function AddonPanel({ wg }: { wg: string }) {
  const { user } = useSignedIn();
  return user.staff && user.addonManager ? <AvailableAddons wg={wg} /> : <EnabledAddons wg={wg} />;
}

function EnabledAddons({ wg }: { wg: string }) {
  const { t } = useTranslation();
  const workgroup = useSignedIn().workgroups?.find(({ name }) => name === wg);
  if (!workgroup) return <p className={classes.note}>{t('addons.othersOnly')}</p>;
  if (workgroup.addons.length === 0)
    return <EmptyState title={t('addons.none')} text={t('addons.noneText')} />;
  return (
    <div className={classes.panel}>
      <p className={classes.note}>{t('addons.readOnly')}</p>
      <ul className={classes.list}>
        {workgroup.addons.map(({ id, name }) => (
          <li key={id} className={classes.addon}>
            <div>
              <Text fw={500}>{t(`addons.names.${id}`, { defaultValue: name })}</Text>
              <Text size="sm" c="dimmed">
                {t(`addons.texts.${id}`, { defaultValue: '' })}
              </Text>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

function AvailableAddons({ wg }: { wg: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(addonsQuery(wg));
  if (error && !data)
    return <ErrorState title={t('addons.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <FormSkeleton fields={6} />;
  return (
    <div className={classes.panel}>
      <ul className={classes.list}>
        {data.map((addon) => (
          <li key={addon.id} className={classes.addon}>
            <AddonSwitch wg={wg} addon={addon} />
            {addon.id === 'machine-plugins' && addon.isEnabled ? (
              <PluginSettings
                key={JSON.stringify(addon.settings)}
                wg={wg}
                settings={addon.settings as unknown as MachinePluginsSettings}
              />
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface AddonProps {
  wg: string;
  addon: AvailableAddon;
}

function AddonSwitch({ wg, addon: { id, isEnabled } }: AddonProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const name = t(`addons.names.${id}`);
  const { isWorking, work } = useWork((error) => notifyFailure(t('addons.changeFailed', { name }), error));

  const enable = () =>
    work(async () => {
      await enableAddon(wg, id);
      notifyDone(t('addons.enabled', { name }));
    });

  return (
    <>
      <Switch
        label={name}
        description={t(`addons.texts.${id}`)}
        checked={isEnabled}
        disabled={isWorking}
        onChange={() => (isEnabled ? setAsking(true) : void enable())}
      />
      {isAsking ? (
        <ConfirmDialog
          confirm={t('addons.disable', { name })}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await disableAddon(wg, id);
            notifyDone(t('addons.disabled', { name }));
          }}
        >
          {t('addons.disableText', { name })}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

interface PluginSettingsProps {
  wg: string;
  settings: MachinePluginsSettings;
}

/** Which plugins may be installed: groups of them by label, and single ones. */
function PluginSettings({ wg, settings }: PluginSettingsProps) {
  const { t } = useTranslation();
  const { values, field, dialog } = useContractForm({
    schema: machinePluginsSettings,
    initial: { labels: settings.labels ?? [], plugins: settings.plugins ?? [] },
    send: async (wanted) => {
      await changeAddon(wg, 'machine-plugins', wanted);
      notifyDone(t('addons.saved'));
    },
  });
  const isChanged =
    JSON.stringify([values.labels, values.plugins]) !== JSON.stringify([settings.labels, settings.plugins]);

  return (
    <form className={classes.settings} onSubmit={dialog.onSubmit}>
      <TagsInput {...field('labels')} label={t('addons.labels')} description={t('addons.labelsHelp')} />
      <TagsInput {...field('plugins')} label={t('addons.plugins')} description={t('addons.pluginsHelp')} />
      <Failure text={dialog.failure} />
      <div>
        <Button type="submit" size="xs" loading={dialog.isWorking} disabled={!isChanged}>
          {t('addons.save')}
        </Button>
      </div>
    </form>
  );
}
