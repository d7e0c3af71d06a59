import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import type { Trend } from '@albedo/contract/trends/trends.schema';
import { useTranslation } from 'react-i18next';
import { useIsArriving } from '../../app/filling.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Sparkline } from '../../ui/sparkline.tsx';
import { formatFixed } from '../../ui/units/numbers.ts';
import { formatValue } from '../../ui/units/units.ts';
import { useTrend } from '../trends/trends.queries.ts';
import { isAwaited } from './device-state.ts';
import classes from './devices.module.css';

/** The last 24 hours of a device as a line, and of a plant its power of now. */
export function TrendCell({ device }: { device: DeviceSummary }) {
  return isAwaited(device) ? null : <Drawn device={device} />;
}

function Drawn({ device }: { device: DeviceSummary }) {
  const { t } = useTranslation();
  const trend = useTrend(useWorkgroup(), device.id);
  const isOnItsWay = useIsArriving(trend?.from ?? Number.POSITIVE_INFINITY) && trend?.of === 'power';
  if (!trend)
    return trend === null ? <span className={classes.noTrend}>{t('devices.trend.none')}</span> : null;
  const isPower = trend.of === 'power';
  return (
    <span className={classes.trend} title={t(`devices.trend.${trend.of}`)}>
      <Sparkline
        values={isOnItsWay ? [] : trend.values}
        label={t(`devices.trend.${trend.of}`)}
        partial={new Set([trend.values.length - 1])}
        // A machine that does next to nothing is no mountain range.
        atLeast={isPower ? 0 : 100}
      />
      {isPower ? <span className={classes.reading}>{powerText(device, trend)}</span> : null}
    </span>
  );
}

/** What a device reads now, for places that show one figure: a plant its power, a machine its CPU. */
export function Reading({ device }: { device: DeviceSummary }) {
  const { t } = useTranslation();
  const trend = useTrend(useWorkgroup(), device.id);
  if (trend?.of === 'power') return powerText(device, trend);
  const { cpuUsage } = device.facts;
  return cpuUsage === null ? null : `${t('devices.columns.cpuUsage')} ${formatFixed(cpuUsage, 1)} %`;
}

const powerText = ({ facts }: DeviceSummary, { last }: Trend): string =>
  last === null || !facts.online ? '–' : formatValue(last, 'W');
