import type { Formula } from '@albedo/contract/formulae/formulae.schema';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { entityWorldQuery } from '../../app/entity-world-query.ts';
import { usePermission } from '../../app/permissions.ts';
import { PickedChartsSkeleton } from '../../app/series/picked-charts.tsx';
import { useWorkgroup } from '../../app/session.ts';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { useLabels } from '../entities/entities.queries.ts';
import { formulaeQuery } from '../formulae/formulae.queries.ts';
import { AnalysisFrame, AnalysisView } from './analysis-view.tsx';
import { EntityPicker } from './entity-picker.tsx';

/** Charts over what sites and their parts measure, without the names of devices and sources. */
export function EntityAnalysisPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const labels = useLabels();
  const canConfigure = usePermission('coordinate');
  const { data: entities, error, refetch } = useQuery(entityWorldQuery(wg));
  const devices = useQuery(deviceListQuery(wg));
  const formulas = useQuery(formulaeQuery(wg));
  return (
    <AnalysisFrame at="/analysis/entities">
      {error && !entities ? (
        <ErrorState title={t('analysis.entities.failed')} error={error} onRetry={() => void refetch()} />
      ) : !entities || devices.isPending || formulas.isPending ? (
        <PickedChartsSkeleton />
      ) : entities.entities.length === 0 ? (
        <EmptyState
          title={t('analysis.entities.none')}
          text={t(canConfigure ? 'analysis.entities.noneText' : 'analysis.entities.noneToSee')}
        >
          {canConfigure ? (
            <Anchor component={Link} to="/admin/entities/manage">
              {t('entities.manage')}
            </Anchor>
          ) : null}
        </EmptyState>
      ) : (
        <AnalysisView
          devices={devices.data ?? []}
          formulas={formulas.data ?? NO_FORMULAS}
          entities={entities}
          emptyText={t('analysis.entities.emptyText')}
          picker={(props) => <EntityPicker entities={entities} labels={labels} {...props} />}
        />
      )}
    </AnalysisFrame>
  );
}

const NO_FORMULAS: Formula[] = [];
