import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { useTranslation } from 'react-i18next';
import { AS_EXPECTED } from '../../../../app/glance/glance-text.ts';
import { LevelIcon } from '../../../../ui/status/level-icon.tsx';
import { formatDecimal } from '../../../../ui/units/numbers.ts';
import { formatValue, shownValue } from '../../../../ui/units/units.ts';
import { useBoard } from '../../board-context.ts';
import { usePlants } from '../../use-plants.ts';
import type { WidgetProps } from '../../widget.ts';
import { useWidgetData } from '../../widget-data.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import classes from '../number/number.module.css';

/**
 * What the plants produced today, beside what the light would give. Counts plants with enough light for a ratio, at the times
 * when both values are known; while there is none, what all plants produced.
 */
export function ExpectedView({ width, height, title }: WidgetProps<SettingsOf<'expected'>>) {
  const { t } = useTranslation();
  const { isDisplay } = useBoard();
  const { plants, error, retry } = usePlants();
  const days = plants?.flatMap(({ plant: { today } }) => today ?? []);
  const carried = days?.flatMap(({ paired }) => paired ?? []) ?? [];
  const counted = carried.length > 0 ? carried : days?.filter(({ energyKWh }) => energyKWh !== null);
  const sum = (all: readonly (number | null)[] = []) => {
    const values = all.filter((value) => value !== null);
    return values.length === 0 ? null : values.reduce((total, value) => total + value, 0) * 1000;
  };
  const energyWh = sum(counted?.map(({ energyKWh }) => energyKWh));
  const expectedWh = sum(counted?.map(({ expectedKWh }) => expectedKWh));
  useWidgetData(
    energyWh === null || expectedWh === null
      ? null
      : {
          head: [`${title} (Wh)`, `${t('energy.columns.expected')} (Wh)`],
          rows: [[String(energyWh), String(expectedWh)]],
        },
  );
  if (isDisplay) return <WidgetNote text={t('boards.notOnDisplays')} />;
  if (error && !plants) return <WidgetFailure error={error} onRetry={retry} />;
  if (!plants || !counted) return <WidgetSkeleton />;
  const { number, unit } = shownValue(energyWh, 'Wh');
  const share =
    carried.length > 0 && energyWh !== null && expectedWh !== null && expectedWh > 0
      ? energyWh / expectedWh
      : null;
  const isUnder = share !== null && share < AS_EXPECTED;
  const size = Math.max(18, Math.min(40, width / 6.4, height * 0.42));
  return (
    <div className={classes.number}>
      <div className={classes.figure} style={{ fontSize: size }}>
        <span>{number}</span>
        {unit ? <small>{unit}</small> : null}
      </div>
      <div className={classes.facts}>
        {expectedWh === null || expectedWh === 0 ? (
          <span>{t('glance.noExpected')}</span>
        ) : (
          <span>{t('glance.expected', { energy: formatValue(expectedWh, 'Wh') })}</span>
        )}
        {share === null ? null : (
          <span>
            {isUnder ? <LevelIcon mark="warning" size={11} /> : null}{' '}
            {`${formatDecimal(Math.round(share * 100), 0)} %`}
          </span>
        )}
        {counted.length < plants.length ? (
          <span>{t('boards.someOf', { counted: counted.length, all: plants.length })}</span>
        ) : null}
      </div>
      {share === null ? null : (
        <div className={classes.target} role="presentation">
          <span style={{ width: `${Math.max(0, Math.min(100, share * 100))}%` }} />
        </div>
      )}
    </div>
  );
}
