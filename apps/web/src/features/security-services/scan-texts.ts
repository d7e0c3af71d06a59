import type { SecurityScan } from '@albedo/contract/security-services/security-services.schema';
import type { TFunction } from 'i18next';
import type { Mark } from '../../ui/status/level-icon.tsx';
import type { ScanRow } from './security-services.queries.ts';

/** Nothing else can be asked of it now. */
export const isBusy = ({ job }: ScanRow): boolean => job !== null && job.state !== 'idle';

/** How it goes with the scan of a device, in words. */
export function stateText(t: TFunction, { job }: ScanRow): string {
  if (!job) return t('securityServices.neverScanned');
  if (job.state === 'scheduled') return t('securityServices.scanScheduled');
  if (job.state === 'running') return t('securityServices.running');
  return job.lastScan ? outcomeText(t, job.lastScan) : t('securityServices.neverScanned');
}

/** How a scan ended, with the reason where it is not the whole of it. */
export function outcomeText(t: TFunction, { outcome, reason }: SecurityScan): string {
  const text = t(`securityServices.outcomes.${outcome}`);
  return reason ? `${text}: ${t(`securityServices.reasons.${reason}`)}` : text;
}

/** The sign that stands before it; null where there is nothing to see. */
export function markOf({ job }: ScanRow): Mark | null {
  if (!job) return null;
  if (job.state !== 'idle') return 'waiting';
  if (!job.lastScan) return null;
  return ({ complete: 'ok', partial: 'warning', failed: 'warning' } as const)[job.lastScan.outcome];
}
