import type { PlantReading, Reading } from '@albedo/contract/plants/plant-reading';
import {
  IconBattery2,
  IconBuildingFactory2,
  IconPlugConnected,
  IconSun,
  IconTransformPoint,
  type TablerIcon,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatAlike, formatValue } from '../units/units.ts';
import classes from './flow.module.css';
import { NOTHING_W, wayOf } from './grid-way.ts';

/** Length of a dash with its gap, and the width of a line, in units of the drawing. */
const [PERIOD, THICK] = [10, 2.5];

type Flowing = Pick<PlantReading, 'power' | 'grid' | 'load' | 'battery' | 'poa' | 'ghi' | 'stateOfCharge'>;

/**
 * How power flows between sun, inverters, site, grid and battery; a line that stands still carries nothing. All powers share
 * the unit prefix of the largest one.
 */
export function Flow({ reading }: { reading: Flowing }) {
  const { t } = useTranslation();
  const { power, grid, load, battery, poa, ghi, stateOfCharge } = reading;
  const light = poa.value === null ? ghi : poa;
  const hasBattery = battery.missing !== 'noSource';
  const isExporting = (grid.value ?? 0) < -NOTHING_W;
  const isCharging = (battery.value ?? 0) < -NOTHING_W;
  const powers = [power, load, grid, battery].map(({ value }) => value);
  const [produced = '', used = '', metered = '', stored = ''] = formatAlike(powers, 'W');
  const named = (role: 'gridPower' | 'batteryPower', { value }: Reading, other: string) => {
    const way = wayOf(role, value);
    return way ? t(`plants.flow.${way}`) : other;
  };
  const nodes = {
    sun: { name: t('plants.flow.sun'), value: formatValue(light.value, 'W/m²') },
    inverters: { name: t('plants.flow.inverters'), value: produced },
    site: { name: t('plants.flow.site'), value: used },
    grid: {
      name: named('gridPower', grid, t('plants.flow.grid')),
      value: metered,
    },
    battery: {
      name: named('batteryPower', battery, t('plants.flow.battery')),
      value: stateOfCharge.value === null ? stored : `${stored} · ${formatValue(stateOfCharge.value, '%')}`,
    },
  };
  const words = [nodes.sun, nodes.inverters, nodes.site, nodes.grid, ...(hasBattery ? [nodes.battery] : [])]
    .map(({ name, value }) => `${name} ${value}`)
    .join(', ');
  const isGenerating = (power.value ?? 0) > NOTHING_W;
  return (
    <svg viewBox="0 0 344 224" role="img" aria-label={words} className={classes.flow}>
      <Line x={76} y={44} length={68} way="right" isFlowing={isGenerating} />
      <Line x={200} y={44} length={68} way="right" isFlowing={isGenerating} />
      <Line
        {...{ x: 296, y: 112, length: 20, way: isExporting ? 'down' : 'up' }}
        isFlowing={grid.value !== null && Math.abs(grid.value) > NOTHING_W}
        mark={isExporting ? 'out' : 'in'}
      />
      {hasBattery ? (
        <Line
          {...{ x: 172, y: 112, length: 20, way: isCharging ? 'down' : 'up' }}
          isFlowing={battery.value !== null && Math.abs(battery.value) > NOTHING_W}
        />
      ) : null}
      <Node x={48} y={44} Icon={IconSun} {...nodes.sun} kind="sun" />
      <Node x={172} y={44} Icon={IconTransformPoint} {...nodes.inverters} kind="inverters" />
      <Node x={296} y={44} Icon={IconBuildingFactory2} {...nodes.site} kind="site" />
      <Node x={296} y={160} Icon={IconPlugConnected} {...nodes.grid} kind="grid" />
      {hasBattery ? <Node x={172} y={160} Icon={IconBattery2} {...nodes.battery} kind="battery" /> : null}
    </svg>
  );
}

interface LineProps {
  x: number;
  y: number;
  length: number;
  way: 'right' | 'up' | 'down';
  isFlowing: boolean;
  mark?: 'in' | 'out';
}

/** Its dashes are moved as they are: drawn anew for each frame, they cost a screen that is always on three times as much. */
function Line({ x, y, length, way, isFlowing, mark }: LineProps) {
  const isLevel = way === 'right';
  const [width, height] = isLevel ? [length, THICK] : [THICK, length];
  const along = isLevel ? 'H' : 'V';
  const start = isLevel ? `M${-PERIOD} ${THICK / 2}` : `M${THICK / 2} ${-PERIOD}`;
  return (
    <>
      <path d={`M${x} ${y}${along}${(isLevel ? x : y) + length}`} className={classes.line} />
      {isFlowing ? (
        <svg
          x={isLevel ? x : x - THICK / 2}
          y={isLevel ? y - THICK / 2 : y}
          {...{ width, height }}
          aria-hidden
        >
          <path
            d={`${start}${along}${length + PERIOD}`}
            className={classes.moving}
            data-way={way}
            data-mark={mark}
          />
        </svg>
      ) : null}
    </>
  );
}

interface NodeProps {
  x: number;
  y: number;
  Icon: TablerIcon;
  name: string;
  value: string;
  kind: string;
}

function Node({ x, y, Icon, name, value, kind }: NodeProps) {
  return (
    <g className={classes.node} data-kind={kind}>
      <circle cx={x} cy={y} r={26} />
      <Icon x={x - 12} y={y - 12} width={24} height={24} aria-hidden />
      <text x={x} y={y + 44} className={classes.value}>
        {value}
      </text>
      <text x={x} y={y + 60} className={classes.name}>
        {name}
      </text>
    </g>
  );
}
