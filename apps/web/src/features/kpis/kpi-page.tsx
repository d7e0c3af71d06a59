import type { Kpi, NewKpi } from '@albedo/contract/kpis/kpis.schema';
import { Anchor, Button, Group, SegmentedControl, Skeleton } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { confirmText } from '../../app/confirm-text.ts';
import { EntitySelect, useEntityChoice } from '../../app/figures/entity-select.tsx';
import { notifyDone } from '../../app/notify.ts';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useOpened } from '../../app/versions/use-opened.ts';
import { VersionsButton } from '../../app/versions/versions-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { ChartSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { KpiAnswerView } from './kpi-answer.tsx';
import { KpiForm } from './kpi-form.tsx';
import { RANGES, type RangeName, useKpiQuestion } from './kpi-range.ts';
import { kpiAnswerQuery, kpisQuery, newestKpi, removeKpi } from './kpis.queries.ts';

/** One KPI: its values for an entity, where they come from, and its definition. */
export function KpiPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { kpiId } = useParams({ strict: false }) as { kpiId: string };
  const { data, error, refetch } = useQuery(kpisQuery(wg));
  const mayChange = usePermission('coordinate');
  const kpi = data?.find(({ _id }) => _id === kpiId);
  const back = mayChange ? (
    <Anchor component={Link} to="/admin/data/kpis" size="sm">
      {t('kpis.title')}
    </Anchor>
  ) : null;
  return (
    <Page title={kpi?.name ?? t('kpis.one')} context={back}>
      {error ? <ErrorState title={t('kpis.failed')} error={error} onRetry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton height={240} />}
      {data && !kpi ? <EmptyState title={t('kpis.gone')} text={t('kpis.goneText')} /> : null}
      {kpi ? <KpiContent key={kpi._id} wg={wg} kpi={kpi} mayChange={mayChange} /> : null}
    </Page>
  );
}

/** What stands on the page of a KPI that is there. */
export function KpiContent({ wg, kpi, mayChange }: { wg: string; kpi: Kpi; mayChange: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<string | null>(null);
  const [range, setRange] = useState<RangeName>('week');
  const [tried, setTried] = useState<NewKpi | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const { entity, hasNone } = useEntityChoice(wg, chosen);
  const question = useKpiQuestion(entity, range, true);
  const { opened, round, reopen } = useOpened(kpi);
  const shown = tried ?? kpi;
  const { data, error, isPending, refetch } = useQuery({
    ...kpiAnswerQuery(wg, shown, question as NonNullable<typeof question>),
    enabled: question !== null,
  });
  return (
    <>
      <Group gap="sm" mb="md">
        <EntitySelect wg={wg} value={entity} onChange={setChosen} />
        <SegmentedControl
          aria-label={t('kpis.range')}
          data={(Object.keys(RANGES) as RangeName[]).map((value) => ({
            value,
            label: t(`kpis.ranges.${value}`),
          }))}
          value={range}
          onChange={(value) => setRange(value as RangeName)}
        />
        <Group gap="xs" ml="auto">
          <VersionsButton
            kind="kpi"
            id={kpi._id}
            name={kpi.name}
            mayRestore={mayChange}
            onRestored={async () => reopen(await newestKpi(wg, kpi._id))}
          />
          {mayChange ? (
            <Button
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={16} />}
              onClick={() => setRemoving(true)}
            >
              {t('kpis.remove')}
            </Button>
          ) : null}
        </Group>
      </Group>
      {hasNone ? <EmptyState title={t('kpis.noEntities')} /> : null}
      {error ? (
        <ErrorState title={t('kpis.answerFailed')} error={error} onRetry={() => void refetch()} />
      ) : null}
      {isPending && question ? <ChartSkeleton height={220} /> : null}
      {data && !error ? <KpiAnswerView wg={wg} kpi={shown} answer={data} isTried={tried !== null} /> : null}
      {mayChange ? (
        <KpiForm key={round} wg={wg} kpi={opened} onOpen={reopen} onTry={setTried} />
      ) : (
        <Section title={t('kpis.about')}>{kpi.description || t('kpis.noDescription')}</Section>
      )}
      {isRemoving ? (
        <ConfirmDialog
          confirm={confirmText(t('kpis.remove'), kpi.name)}
          onConfirm={async () => {
            await removeKpi(wg, kpi._id);
            notifyDone(t('kpis.removed', { name: kpi.name }));
            await navigate({ to: '/admin/data/kpis' });
          }}
          onClose={() => setRemoving(false)}
        >
          {t('kpis.removeText', { name: kpi.name })}
        </ConfirmDialog>
      ) : null}
    </>
  );
}
