import { Button, Group, Modal, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { LinesSkeleton } from '../../ui/skeletons.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import classes from './plugins.module.css';
import { logsQuery, type OnPlugin, type PresentActivity } from './plugins.queries.ts';

/** What an activity says and writes: a tab for each source, the last 100 lines of it. */
export function LogsDialog({
  on,
  activity,
  onClose,
}: {
  on: Omit<OnPlugin, 'plugin'>;
  activity: PresentActivity;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const { data, error, refetch } = useQuery(logsQuery(on, activity));
  return (
    <Modal
      opened
      size="xl"
      fullScreen={isNarrow}
      onClose={onClose}
      title={t('plugins.logs.title', { name: activity.name })}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {error ? (
        <ErrorState title={t('plugins.logs.failed')} error={error} onRetry={() => void refetch()} />
      ) : null}
      {!data && !error ? <LinesSkeleton lines={9} /> : null}
      {data ? (
        <Tabs defaultValue={data[0]?.source ?? null} keepMounted={false}>
          <Tabs.List className={classes.logTabs ?? ''}>
            {data.map(({ source }) => (
              <Tabs.Tab key={source} value={source}>
                {source}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {data.map(({ source, text }) => (
            <Tabs.Panel key={source} value={source}>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard */}
              <pre className={classes.log} tabIndex={0}>
                {text || t('plugins.logs.empty')}
              </pre>
            </Tabs.Panel>
          ))}
        </Tabs>
      ) : null}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          {t('plugins.logs.dismiss')}
        </Button>
      </Group>
    </Modal>
  );
}
