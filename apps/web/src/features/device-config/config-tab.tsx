import type { ConfigProblem, DeviceConfig } from '@albedo/contract/device-config/device-config.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button, SegmentedControl, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { queryClient } from '../../app/query-client.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { LinesSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { suggestConfig } from './config-suggest.ts';
import classes from './device-config.module.css';
import {
  applyConfig,
  deviceConfigKey,
  deviceConfigQuery,
  metaChanged,
  refreshMeta,
  testConfig,
} from './device-config.queries.ts';
import { DiffLines } from './diff-lines.tsx';
import { TwinCard } from './twin-card.tsx';

const EntriesForm = lazy(async () => ({ default: (await import('./entries-form.tsx')).EntriesForm }));
const CodeEditor = lazy(async () => ({
  default: (await import('../../ui/code-editor/code-editor.tsx')).CodeEditor,
}));

/** What a device is told to capture: its configuration file, edited, tested and applied on the device itself. */
export function ConfigTab({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { online } = device.facts;
  const { data, error, isFetching, refetch } = useQuery({
    ...deviceConfigQuery(wg, device.id),
    enabled: online,
  });
  if (!data && !online) {
    return (
      <div className={classes.aside}>
        <Section title={t('deviceConfig.title')}>
          <EmptyState title={t('deviceConfig.offline')} text={t('deviceConfig.offlineText')} />
        </Section>
        <TwinCard device={device} />
      </div>
    );
  }
  if (error) {
    return <ErrorState title={t('deviceConfig.failed')} error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <LinesSkeleton lines={16} />;
  return (
    <ConfigEditor
      key={data.hash}
      device={device}
      config={data}
      isLoading={isFetching}
      onReload={() => void refetch()}
    />
  );
}

interface ConfigEditorProps {
  device: Device;
  config: DeviceConfig;
  isLoading: boolean;
  onReload: () => void;
}

function ConfigEditor({ device, config, isLoading, onReload }: ConfigEditorProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [text, setText] = useState(config.text);
  /** What the editor of the text began with; forms change the text as well. */
  const [shown, setShown] = useState(config.text);
  const [view, setView] = useState<'forms' | 'yaml'>('forms');
  const [problems, setProblems] = useState(config.problems);
  const [isTested, setTested] = useState(false);
  const [goTo, setGoTo] = useState<{ line: number } | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { attempt, isWorking, failure } = useAttempt();
  const isChanged = text !== config.text;
  const isOffline = !device.facts.online;

  const suggest = useMemo(() => suggestConfig(t), [t]);
  const turnTo = (next: 'forms' | 'yaml') => {
    setShown(text);
    setView(next);
  };
  const goToLine = (line: number) => {
    turnTo('yaml');
    setGoTo({ line });
  };

  const show = (found: ConfigProblem[]) => {
    setProblems(found);
    setTested(true);
    const first = found.find(({ line }) => line !== null);
    if (first?.line) goToLine(first.line);
  };
  const handleTest = () => attempt(async () => show((await testConfig(device.id, text)).problems));
  const handleApply = () =>
    attempt(async () => {
      const awaited = metaChanged(device.id);
      const applied = await applyConfig(device.id, text, config.hash);
      show(applied.problems);
      if (!applied.isApplied) throw new Error(t('deviceConfig.unusable'));
      notifications.show({ title: t('deviceConfig.updated'), message: device.name });
      await awaited;
      queryClient.setQueryData(deviceConfigKey(wg, device.id), applied.config);
    });
  const handleRefresh = () =>
    attempt(async () => {
      await refreshMeta(device.id);
      notifyDone(t('deviceConfig.refreshed', { name: device.name }));
    });

  return (
    <div className={classes.columns}>
      <Section
        title={t('deviceConfig.title')}
        context={<code className={classes.path}>{config.path}</code>}
        isFlush
        actions={
          <>
            <Button
              variant="subtle"
              size="xs"
              leftSection={<IconRefresh size={14} />}
              loading={isLoading}
              disabled={isOffline}
              onClick={() => (isChanged ? setAsking(true) : onReload())}
            >
              {t('deviceConfig.reload')}
            </Button>
            <Button
              variant="default"
              size="xs"
              disabled={isOffline || isWorking}
              onClick={() => void handleTest()}
            >
              {t('deviceConfig.test')}
            </Button>
            <Button
              size="xs"
              loading={isWorking}
              disabled={!isChanged || isOffline}
              onClick={() => void handleApply()}
            >
              {t('deviceConfig.apply')}
            </Button>
          </>
        }
      >
        <div className={classes.told}>
          <Failure text={failure} />
        </div>
        <SegmentedControl
          className={classes.view ?? ''}
          size="xs"
          aria-label={t('deviceConfig.view')}
          value={view}
          onChange={turnTo}
          data={(['forms', 'yaml'] as const).map((value) => ({
            value,
            label: t(`deviceConfig.views.${value}`),
          }))}
        />
        <Suspense fallback={<LinesSkeleton lines={16} />}>
          {view === 'forms' ? (
            <EntriesForm text={text} onChange={setText} onGoTo={goToLine} />
          ) : (
            <CodeEditor
              text={shown}
              label={t('deviceConfig.title')}
              marks={problems}
              goTo={goTo}
              suggest={suggest}
              onChange={setText}
            />
          )}
        </Suspense>
      </Section>
      <aside className={classes.aside}>
        {isChanged ? (
          <Section
            title={t('deviceConfig.changes')}
            actions={
              <Button
                variant="subtle"
                size="xs"
                onClick={() => {
                  setText(config.text);
                  setShown(config.text);
                }}
              >
                {t('deviceConfig.undo')}
              </Button>
            }
          >
            <DiffLines before={config.text} after={text} />
          </Section>
        ) : null}
        <Section title={t('deviceConfig.problems')}>
          <Problems problems={problems} isTested={isTested} onGoTo={goToLine} />
        </Section>
        <TwinCard device={device} />
        <Captured device={device} onRefresh={() => void handleRefresh()} isWorking={isWorking} />
      </aside>
      {isAsking ? (
        <ConfirmDialog
          confirm={t('deviceConfig.reload')}
          onConfirm={async () => {
            setText(config.text);
            setShown(config.text);
            onReload();
          }}
          onClose={() => setAsking(false)}
        >
          {t('deviceConfig.reloadText')}
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

interface ProblemsProps {
  problems: readonly ConfigProblem[];
  isTested: boolean;
  onGoTo: (line: number) => void;
}

function Problems({ problems, isTested, onGoTo }: ProblemsProps) {
  const { t } = useTranslation();
  if (problems.length === 0) {
    return (
      <p className={classes.fine} role="status">
        <LevelIcon mark="ok" /> {t(isTested ? 'deviceConfig.fine' : 'deviceConfig.fineNow')}
      </p>
    );
  }
  return (
    <ul className={classes.problems} role="status">
      {problems.map(({ line, message, isFatal }) => (
        <li key={`${line} ${message}`}>
          <LevelIcon mark={isFatal ? 'danger' : 'warning'} />
          <span>
            {line === null ? null : (
              <button type="button" className={classes.line} onClick={() => onGoTo(line)}>
                {t('deviceConfig.line', { line })}
              </button>
            )}{' '}
            {message}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Kinds of scenarios, as the configuration calls them. */
const KINDS = ['run', 'tail', 'watch', 'unix_socket', 'dynamic', 'dynamic_tail', 'run_dir'] as const;

interface CapturedProps {
  device: Device;
  onRefresh: () => void;
  isWorking: boolean;
}

/** What the device says that it captures. */
function Captured({ device, onRefresh, isWorking }: CapturedProps) {
  const { t } = useTranslation();
  const counts = useMemo(
    () => KINDS.map((kind) => ({ kind, count: listOf(device.meta, kind).length })),
    [device.meta],
  );
  const button = (
    <Button variant="subtle" size="xs" disabled={isWorking || !device.facts.online} onClick={onRefresh}>
      {t('deviceConfig.refresh')}
    </Button>
  );
  return (
    <Section title={t('deviceConfig.captured')} actions={button}>
      <dl className={classes.counts}>
        {counts
          .filter(({ count }) => count > 0)
          .map(({ kind, count }) => (
            <div key={kind}>
              <dt>
                <code>{kind}</code>
                <Text span size="xs" c="dimmed">
                  {t(`deviceConfig.kinds.${kind}`)}
                </Text>
              </dt>
              <dd>{count}</dd>
            </div>
          ))}
      </dl>
    </Section>
  );
}

function listOf(meta: object, kind: string): unknown[] {
  const list = (meta as Record<string, unknown>)[kind];
  return Array.isArray(list) ? list : [];
}
