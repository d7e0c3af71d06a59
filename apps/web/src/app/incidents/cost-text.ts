import type { TFunction } from 'i18next';
import { formatMoney, type Money } from '../../ui/units/money.ts';
import { formatValue } from '../../ui/units/units.ts';

interface Cost {
  energyWh: number | null;
  powerW: number | null;
  money: readonly Money[];
}

/** `about €3.30`, with several currencies joined. Empty without a price, or if it is still nothing. */
const moneyText = (t: TFunction, money: readonly Money[]): string =>
  money.some(({ value }) => value >= 0.005)
    ? t('incidents.cost.about', { what: money.map(formatMoney).join(' + ') })
    : '';

/** The cost so far: `about €3.30 (41.20 kWh)`, or only the energy without a price; empty if unknown. */
export function costText(t: TFunction, { energyWh, money }: Cost): string {
  if (energyWh === null || energyWh <= 0) return '';
  const energy = formatValue(energyWh, 'Wh');
  const inMoney = moneyText(t, money);
  return inMoney === '' ? t('incidents.cost.about', { what: energy }) : `${inMoney} (${energy})`;
}

/** How much more it costs each hour; empty if nothing more. */
export const moreText = (t: TFunction, { powerW }: Pick<Cost, 'powerW'>): string =>
  powerW !== null && powerW > 0 ? t('incidents.energy.more', { energy: formatValue(powerW, 'Wh') }) : '';
