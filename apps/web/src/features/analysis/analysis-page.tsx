import type { Formula } from '@albedo/contract/formulae/formulae.schema';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { PickedChartsSkeleton } from '../../app/series/picked-charts.tsx';
import { useWorkgroup } from '../../app/session.ts';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { formulaeQuery } from '../formulae/formulae.queries.ts';
import { AnalysisFrame, AnalysisView } from './analysis-view.tsx';
import { DeviceTree } from './device-tree.tsx';

/** Charts over any fields of any devices. */
export function AnalysisPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data: devices, error, refetch } = useQuery(deviceListQuery(wg));
  const formulas = useQuery(formulaeQuery(wg));
  return (
    <AnalysisFrame at="/analysis">
      {error ? (
        <ErrorState title={t('analysis.devicesFailed')} error={error} onRetry={() => void refetch()} />
      ) : !devices || formulas.isPending ? (
        <PickedChartsSkeleton />
      ) : devices.length === 0 ? (
        <EmptyState title={t('analysis.noDevices')} text={t('analysis.noDevicesText')} />
      ) : (
        <AnalysisView
          devices={devices}
          formulas={formulas.data ?? NO_FORMULAS}
          entities={null}
          emptyText={t('analysis.emptyText')}
          picker={(props) => <DeviceTree devices={devices} {...props} />}
        />
      )}
    </AnalysisFrame>
  );
}

const NO_FORMULAS: Formula[] = [];
