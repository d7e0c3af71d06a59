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

/** What the plants gave today, beside what the light would give: of those of which both are known. */
export function ExpectedView({ width, height, title }: WidgetProps<SettingsOf<'expected'>>) {
  const { t } = useTranslation();
  const { isDisplay } = useBoard();
  const { plants, error, retry } = usePlants();
  const known = plants?.flatMap(({ plant: { today } }) =>
    today?.energyKWh != null && today.expectedKWh !== null
      ? [{ energyKWh: today.energyKWh, expectedKWh: today.expectedKWh }]
      : [],
  );
  const sum = (pick: (one: { energyKWh: number; expectedKWh: number }) => number) =>
    known && known.length > 0 ? known.reduce((total, one) => total + pick(one), 0) * 1000 : null;
  const [energyWh, expectedWh] = [sum(({ energyKWh }) => energyKWh), sum(({ expectedKWh }) => expectedKWh)];
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
  if (!plants || !known) return <WidgetSkeleton />;
  const { number, unit } = shownValue(energyWh, 'Wh');
  const share = energyWh !== null && expectedWh !== null && expectedWh > 0 ? energyWh / expectedWh : null;
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
        {known.length < plants.length ? (
          <span>{t('boards.someOf', { counted: known.length, all: plants.length })}</span>
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
