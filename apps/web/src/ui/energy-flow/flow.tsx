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
import { formatValue } from '../units/units.ts';
import classes from './flow.module.css';

/** Below this nothing flows that one would draw, W. */
const NOTHING_W = 5;

type Flowing = Pick<PlantReading, 'power' | 'grid' | 'load' | 'battery' | 'poa' | 'ghi' | 'stateOfCharge'>;

/** How power flows between sun, inverters, site, grid and battery; a line that stands still carries nothing. */
export function Flow({ reading }: { reading: Flowing }) {
  const { t } = useTranslation();
  const { power, grid, load, battery, poa, ghi, stateOfCharge } = reading;
  const light = poa.value === null ? ghi : poa;
  const hasBattery = battery.missing !== 'noSource';
  const isExporting = (grid.value ?? 0) < -NOTHING_W;
  const isCharging = (battery.value ?? 0) < -NOTHING_W;
  const unsigned = ({ value }: Reading) => formatValue(value === null ? null : Math.abs(value), 'W');
  const direction = (value: number | null, plus: string, minus: string) =>
    value === null || Math.abs(value) <= NOTHING_W ? '' : value > 0 ? plus : minus;
  const nodes = {
    sun: { name: t('plants.flow.sun'), value: formatValue(light.value, 'W/m²') },
    inverters: { name: t('plants.flow.inverters'), value: formatValue(power.value, 'W') },
    site: { name: t('plants.flow.site'), value: formatValue(load.value, 'W') },
    grid: {
      name: direction(grid.value, t('plants.flow.import'), t('plants.flow.export')) || t('plants.flow.grid'),
      value: unsigned(grid),
    },
    battery: {
      name:
        direction(battery.value, t('plants.flow.discharging'), t('plants.flow.charging')) ||
        t('plants.flow.battery'),
      value:
        stateOfCharge.value === null
          ? unsigned(battery)
          : `${unsigned(battery)} · ${formatValue(stateOfCharge.value, '%')}`,
    },
  };
  const words = [nodes.sun, nodes.inverters, nodes.site, nodes.grid, ...(hasBattery ? [nodes.battery] : [])]
    .map(({ name, value }) => `${name} ${value}`)
    .join(', ');
  const isGenerating = (power.value ?? 0) > NOTHING_W;
  return (
    <svg viewBox="0 0 344 224" role="img" aria-label={words} className={classes.flow}>
      <Line d="M76 44H144" isFlowing={isGenerating} />
      <Line d="M200 44H268" isFlowing={isGenerating} />
      <Line
        d={isExporting ? 'M296 112V132' : 'M296 132V112'}
        isFlowing={grid.value !== null && Math.abs(grid.value) > NOTHING_W}
        mark={isExporting ? 'out' : 'in'}
      />
      {hasBattery ? (
        <Line
          d={isCharging ? 'M172 112V132' : 'M172 132V112'}
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

function Line({ d, isFlowing, mark }: { d: string; isFlowing: boolean; mark?: 'in' | 'out' }) {
  return (
    <>
      <path d={d} className={classes.line} />
      {isFlowing ? <path d={d} className={classes.moving} data-mark={mark} /> : null}
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
