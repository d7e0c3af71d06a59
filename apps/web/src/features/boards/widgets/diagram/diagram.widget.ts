import { IconSchema } from '@tabler/icons-react';
import { widget } from '../../widget.ts';
import { lazyView } from '../lazy-view.ts';

const sum = (role: string) => ({ over: 'descendants', role, combine: 'sum' });
const mean = (role: string) => ({ over: 'descendants', role, combine: 'mean' });

/** A plant as a single line; what an entity does not have stands there without a value. */
const SINGLE_LINE = {
  nodes: [
    { id: 'sun', symbol: 'sun', stream: mean('irradiancePoa') },
    { id: 'panels', symbol: 'panels', stream: sum('dcPower') },
    { id: 'inverter', symbol: 'inverter', stream: sum('acPower') },
    { id: 'bus', symbol: 'bus' },
    { id: 'load', symbol: 'load', stream: sum('loadPower') },
    { id: 'meter', symbol: 'meter', stream: sum('gridPower') },
    { id: 'grid', symbol: 'grid' },
  ],
  edges: [
    { id: 'sun-panels', from: 'sun', to: 'panels', stream: mean('irradiancePoa'), idle: 5 },
    { id: 'panels-inverter', from: 'panels', to: 'inverter', stream: sum('dcPower'), idle: 5 },
    { id: 'inverter-bus', from: 'inverter', to: 'bus', stream: sum('acPower'), idle: 5 },
    { id: 'bus-load', from: 'bus', to: 'load', stream: sum('loadPower'), idle: 5 },
    { id: 'bus-meter', from: 'bus', to: 'meter', stream: sum('gridPower'), isReversed: true, idle: 5 },
    { id: 'meter-grid', from: 'meter', to: 'grid', stream: sum('gridPower'), isReversed: true, idle: 5 },
  ],
};

export const diagram = widget<'diagram'>({
  kind: 'diagram',
  Icon: IconSchema,
  group: 'energy',
  size: { w: 14, h: 8 },
  canSave: true,
  View: lazyView(() => import('./diagram-view.tsx'), 'DiagramView'),
  form: [
    { name: 'drawing', kind: 'diagram' },
    { name: 'link', kind: 'link' },
  ],
  initial: { drawing: SINGLE_LINE },
});
