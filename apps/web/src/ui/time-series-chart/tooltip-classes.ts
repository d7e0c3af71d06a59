import type { TooltipContext } from './chart-tooltip.ts';
import classes from './time-series-chart.module.css';

export const TOOLTIP_CLASSES: TooltipContext['classes'] = {
  tip: classes.tip ?? '',
  time: classes.tipTime ?? '',
  row: classes.tipRow ?? '',
  swatch: classes.swatch ?? '',
  name: classes.tipName ?? '',
  value: classes.tipValue ?? '',
  band: classes.tipBand ?? '',
};
