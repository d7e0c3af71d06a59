import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { entityWorldQuery } from '../../app/entity-world-query.ts';
import { notifyDone } from '../../app/notify.ts';
import { isPlumbing } from '../../app/series/source-groups.ts';
import { useWorkgroup } from '../../app/session.ts';
import { labellingQuery } from '../../app/source-labels.ts';
import { UnsavedGuard } from '../../app/unsaved-guard.tsx';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { TabList } from '../../ui/tab-list.tsx';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { useLabels } from '../entities/entities.queries.ts';
import classes from './labelling.module.css';
import { saveDraft, useFollowLabelling } from './labelling.queries.ts';
import {
  beyond,
  countOf,
  type Draft,
  EMPTY,
  keyOf,
  type LabellingView,
  labelsAfter,
  type NamedSource,
  type SourceOf,
} from './labelling-draft.ts';
import { LabelsView } from './labels-view.tsx';
import { SourcesView } from './sources-view.tsx';

const VIEWS = ['labels', 'sources'] as const;

/** Labels and sources, a tab of Admin > Workgroup. */
export function LabellingPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const view = search.view === 'sources' ? 'sources' : 'labels';
  const labels = useLabels();
  const labelled = useQuery(labellingQuery(wg));
  const devices = useQuery(deviceListQuery(wg));
  const world = useQuery(entityWorldQuery(wg));
  useFollowLabelling(wg);
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const { attempt, isWorking, failure, forget } = useAttempt();
  const kept = useMemo(() => new Map((labelled.data ?? []).map((one) => [keyOf(one), one])), [labelled.data]);
  const sources = useMemo((): NamedSource[] => {
    const names = new Map((devices.data ?? []).map(({ id, name }) => [id, name]));
    const all = new Map<string, NamedSource>();
    const add = (of: SourceOf) => {
      const name = names.get(of.device);
      if (name !== undefined && of.source !== '') all.set(keyOf(of), { ...of, name });
    };
    for (const one of world.data?.sources ?? [])
      if (!isPlumbing(one) && one.table !== 'audit_logs') add({ device: one.deviceId, source: one.source });
    for (const { device, source } of kept.values()) add({ device, source });
    return [...all.values()].toSorted(
      (a, b) => BY_NAME.compare(a.name, b.name) || BY_NAME.compare(a.source, b.source),
    );
  }, [devices.data, world.data, kept]);

  const broken = [labelled, devices, world].find(({ error }) => error);
  if (broken)
    return (
      <ErrorState
        title={t('labelling.failed')}
        error={broken.error}
        onRetry={() => void Promise.all([labelled.refetch(), devices.refetch(), world.refetch()])}
      />
    );
  if (!labelled.data || !devices.data || !world.data) return <TableSkeleton rows={6} />;

  const count = countOf(kept, labels, draft);
  const shown: LabellingView = {
    labels: labelsAfter(labels, draft),
    sources,
    kept,
    draft,
    change: setDraft,
  };
  const save = () =>
    attempt(async () => {
      await saveDraft(wg, draft, { sources: kept, labels });
      setDraft((now) => beyond(now, draft));
      notifyDone(t('labelling.saved', { count }));
    });
  return (
    <div className={classes.page}>
      <Tabs
        value={view}
        onChange={(next) =>
          void navigate({
            to: '.',
            replace: true,
            search: ((old: Record<string, unknown>) => ({ ...old, view: next })) as never,
          })
        }
      >
        <TabList tabs={VIEWS.map((id) => ({ id, title: t(`labelling.views.${id}`) }))} shown={view} />
      </Tabs>
      {view === 'labels' ? (
        <LabelsView {...shown} entities={world.data.entities} />
      ) : (
        <SourcesView {...shown} />
      )}
      {count > 0 || failure !== null ? (
        <section className={classes.bar} aria-label={t('labelling.unsavedPart')}>
          <span aria-live="polite">{t('labelling.unsaved', { count })}</span>
          <Button
            variant="default"
            disabled={isWorking}
            onClick={() => {
              forget();
              setDraft(EMPTY);
            }}
          >
            {t('labelling.discard')}
          </Button>
          <Button loading={isWorking} disabled={count === 0} onClick={() => void save()}>
            {t('labelling.save')}
          </Button>
          <Failure text={failure} />
        </section>
      ) : null}
      <UnsavedGuard isChanged={count > 0} />
    </div>
  );
}

const BY_NAME = new Intl.Collator('en', { numeric: true });
