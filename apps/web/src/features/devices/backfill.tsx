import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFilling } from '../../app/filling.ts';
import { perLocale } from '../../ui/units/locale.ts';
import classes from './devices.module.css';

/** From so many waiting events on, a device is catching up rather than just sending. */
export const BACKFILL_EVENTS = 1000;

const compact = perLocale(
  (locale) => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }),
);

/** The most that was waiting since the page was opened, by device: what the progress is measured against. */
const peaks = new Map<string, number>();

/** Share of the back-fill that is done, 0 to 1; null when the device is not catching up. */
export function backfillShare({ id, facts }: DeviceSummary): number | null {
  const pending = facts.pendingEvents ?? 0;
  if (pending < BACKFILL_EVENTS) {
    peaks.delete(id);
    return null;
  }
  const peak = Math.max(peaks.get(id) ?? 0, pending);
  peaks.set(id, peak);
  return 1 - pending / peak;
}

/** How far a device that sends what it kept has come. */
export function Backfill({ device }: { device: DeviceSummary }) {
  const share = backfillShare(device);
  // While the demo's history is filled in, a bar on every screen says so already.
  const isFilling = useFilling() !== null;
  return share === null || isFilling ? null : (
    <Progress share={share} pending={device.facts.pendingEvents ?? 0} />
  );
}

function Progress({ share, pending }: { share: number; pending: number }) {
  const { t } = useTranslation();
  const text = compact().format(pending);
  return (
    <span className={classes.backfill} title={t('devices.backfill', { text })}>
      <span className={classes.backfillBar} style={{ '--share': share } as React.CSSProperties} />
      <span aria-hidden="true">{text} ↑</span>
      <VisuallyHidden>{t('devices.backfill', { text })}</VisuallyHidden>
    </span>
  );
}

export const compactCount = (count: number): string => compact().format(count);
