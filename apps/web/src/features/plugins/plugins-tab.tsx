import type { Device } from '@albedo/contract/devices/devices.schema';
import {
  compareVersions,
  type InstalledPlugin,
  type PluginDetail,
  type PluginState,
} from '@albedo/contract/plugins/plugins.schema';
import { ActionIcon, Badge, Button, Group, Select, Table, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../app/call.ts';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { messageOf } from '../../ui/message-of.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { ActivityList } from './activity-list.tsx';
import { titleIn } from './plugin-title.ts';
import classes from './plugins.module.css';
import {
  activitiesOf,
  installPlugin,
  lastToldQuery,
  offeredQuery,
  removePlugin,
  startServices,
  stateQuery,
} from './plugins.queries.ts';

/** What the device reads machines with, the services that go on doing so, and what else there is. */
export function PluginsTab({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { online } = device.facts;
  const offered = useQuery(offeredQuery(wg));
  const told = useQuery({ ...lastToldQuery(wg), enabled: !online });
  const asked = useQuery({ ...stateQuery(wg, device.id), enabled: online });
  const error = offered.error ?? (online ? asked.error : told.error);
  const retry = () => {
    void offered.refetch();
    if (online) void asked.refetch();
  };
  if (error) return <ErrorState title={t('plugins.failed')} error={error} onRetry={retry} />;
  const away = told.data?.filter(({ deviceId }) => deviceId === device.id);
  const state: PluginState | undefined =
    asked.data ?? (!online && away ? { root: '', plugins: away, services: [], tasks: [] } : undefined);
  if (!state || !offered.data) return <TableSkeleton rows={9} />;
  return (
    <div className={classes.stack}>
      <Installed device={device} state={state} offered={offered.data} />
      {online ? <ActivityList device={device} state={state} offered={offered.data} /> : null}
      <Offered device={device} state={state} offered={offered.data} />
    </div>
  );
}

interface PartProps {
  device: Device;
  state: PluginState;
  offered: readonly PluginDetail[];
}

function Installed({ device, state, offered }: PartProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [removed, setRemoved] = useState<InstalledPlugin | null>(null);
  const titleOf = (name: string) => titleIn(offered, name);
  const { plugins } = state;
  const activities = activitiesOf(state);
  const tasks = (name: string) => activities.filter(({ plugin }) => plugin === name).length;
  return (
    <Section
      title={t('plugins.installed')}
      context={device.facts.online ? null : t('plugins.away')}
      isFlush={plugins.length > 0}
    >
      {plugins.length === 0 ? (
        <EmptyState title={t('plugins.none')} text={t('plugins.noneText')} />
      ) : (
        <Table verticalSpacing={8} horizontalSpacing="md">
          <Table.Tbody>
            {plugins.map((one) => (
              <Table.Tr key={one.name}>
                <Table.Td>
                  <Text size="sm" fw={600}>
                    {titleOf(one.name)}
                    {one.isRust ? (
                      <Badge ml={8} size="xs" variant="light">
                        {t('plugins.rust')}
                      </Badge>
                    ) : null}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {[
                      one.version === null
                        ? t('plugins.withAgent')
                        : t('plugins.version', { version: one.version }),
                      ...(tasks(one.name) > 0 ? [t('plugins.services', { count: tasks(one.name) })] : []),
                    ].join(' · ')}
                  </Text>
                </Table.Td>
                <Table.Td className={classes.actions}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    disabled={!device.facts.online}
                    aria-label={t('plugins.removeOf', { name: titleOf(one.name) })}
                    onClick={() => setRemoved(one)}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {removed ? (
        <ConfirmDialog
          confirm={t('plugins.removeOf', { name: titleOf(removed.name) })}
          onConfirm={async () => {
            await removePlugin({ wg, device: device.id, plugin: removed.name });
            notifyDone(t('plugins.removed', { name: titleOf(removed.name) }));
          }}
          onClose={() => setRemoved(null)}
        >
          {t('plugins.removeAsk', { name: titleOf(removed.name), device: device.name })}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}

function Offered({ device, state, offered }: PartProps) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState('');
  const words = wanted.trim().toLowerCase();
  const textOf = ({ title, summary, labels }: PluginDetail) =>
    [title, summary, ...labels.map((label) => t(`plugins.categories.${label}`))].join(' ').toLowerCase();
  const shown = offered.filter((one) => textOf(one).includes(words));
  return (
    <Section
      title={t('plugins.offered')}
      actions={
        <TextInput
          size="xs"
          aria-label={t('plugins.find')}
          placeholder={t('plugins.find')}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      }
    >
      {shown.length === 0 ? (
        <EmptyState title={t('plugins.offeredNone')} text={t('plugins.offeredNoneText')} />
      ) : (
        <div className={classes.list}>
          {shown.map((one) => (
            <OfferedCard
              key={one.name}
              device={device}
              plugin={one}
              installed={state.plugins.find(({ name }) => name === one.name)}
            />
          ))}
        </div>
      )}
    </Section>
  );
}

interface OfferedCardProps {
  device: Device;
  plugin: PluginDetail;
  installed: InstalledPlugin | undefined;
}

function OfferedCard({ device, plugin, installed }: OfferedCardProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { name, title, summary, labels, versions, isAvailable } = plugin;
  const [version, setVersion] = useState(plugin.version);
  const { isWorking, failure, attempt } = useAttempt((error) =>
    hasWords(error) ? messageOf(error) : t('plugins.unknownFailed'),
  );
  const on = { wg, device: device.id, plugin: name };
  const reactivate = () => {
    const failed = t('plugins.upgradeFailed');
    notifyFailure(failed, t('plugins.reactivating'));
    void startServices(on).catch((error: unknown) => notifyFailure(failed, error));
  };
  const install = () =>
    attempt(async () => {
      await installPlugin(on, version).catch((error: unknown) => {
        if (installed && error instanceof ApiError && HALFWAY.has(error.error ?? '')) reactivate();
        throw error;
      });
      notifyDone(t('plugins.done', { name: title, version }));
    });
  const isSame = installed?.version === version;
  return (
    <article className={classes.card} aria-label={title}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Text size="sm" c="dimmed">
        {summary}
      </Text>
      <Group gap={6}>
        {labels.map((label) => (
          <Badge key={label} size="sm" tt="none" variant="default">
            {t(`plugins.categories.${label}`)}
          </Badge>
        ))}
      </Group>
      <Failure text={failure} />
      <div className={classes.foot}>
        {isAvailable ? (
          <>
            <Select
              className={classes.version ?? ''}
              size="xs"
              aria-label={t('plugins.versionOf', { name: title })}
              data={versions}
              value={version}
              allowDeselect={false}
              onChange={(chosen) => chosen && setVersion(chosen)}
            />
            <Button
              size="xs"
              variant={installed ? 'default' : 'filled'}
              loading={isWorking}
              disabled={!device.facts.online || isSame}
              onClick={() => void install()}
            >
              {t(`plugins.actions.${actionOf(installed, version)}`)}
            </Button>
          </>
        ) : (
          <Text size="sm" c="dimmed">
            {t('plugins.notAvailable')}
          </Text>
        )}
      </div>
    </article>
  );
}

/** Failures of an upgrade after which services may stand still. Source: specification 2, sections 4 and 8. */
const HALFWAY = new Set(['plugin.stop_failed', 'plugin.install_failed', 'plugin.ardpkg_unknown']);

/** Whether the server said what it was, or could not be asked at all. */
const hasWords = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.isOfServer || error.cause !== undefined;

function actionOf(
  installed: InstalledPlugin | undefined,
  version: string,
): 'install' | 'same' | 'upgrade' | 'downgrade' {
  if (!installed) return 'install';
  if (installed.version === null) return 'upgrade';
  const order = compareVersions(version, installed.version);
  return order === 0 ? 'same' : order > 0 ? 'upgrade' : 'downgrade';
}
