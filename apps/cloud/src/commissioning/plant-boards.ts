import { type NewBoard, newBoard } from '@albedo/contract/boards/boards.schema';
import type { PlantLanguage } from './plant-tree.ts';

const TITLES = {
  en: {
    site: 'Site',
    inverter: 'Inverter',
    power: 'Power',
    today: 'Energy today',
    grid: 'Grid',
    gridLine: 'Grid, import positive',
    light: 'Irradiance',
    flow: 'Energy flow',
    day: 'Power of the day',
    generation: 'Generation',
    parts: 'Machines',
    inverters: 'Inverters',
    states: 'States',
    temperature: 'Temperature',
    energy: 'Energy',
    days: 'Energy by day',
    dc: 'DC power',
    powers: 'AC and DC power',
  },
  de: {
    site: 'Anlage',
    inverter: 'Wechselrichter',
    power: 'Leistung',
    today: 'Energie heute',
    grid: 'Netz',
    gridLine: 'Netz, Bezug positiv',
    light: 'Einstrahlung',
    flow: 'Energiefluss',
    day: 'Leistung des Tages',
    generation: 'Erzeugung',
    parts: 'Maschinen',
    inverters: 'Wechselrichter',
    states: 'Zustände',
    temperature: 'Temperatur',
    energy: 'Energie',
    days: 'Energie nach Tagen',
    dc: 'DC-Leistung',
    powers: 'AC- und DC-Leistung',
  },
  es: {
    site: 'Planta',
    inverter: 'Inversor',
    power: 'Potencia',
    today: 'Energía de hoy',
    grid: 'Red',
    gridLine: 'Red, consumo positivo',
    light: 'Irradiancia',
    flow: 'Flujo de energía',
    day: 'Potencia del día',
    generation: 'Generación',
    parts: 'Máquinas',
    inverters: 'Inversores',
    states: 'Estados',
    temperature: 'Temperatura',
    energy: 'Energía',
    days: 'Energía por día',
    dc: 'Potencia CC',
    powers: 'Potencia CA y CC',
  },
} as const;

const sum = (role: string, more: object = {}) => ({ over: 'descendants', role, combine: 'sum', ...more });
const mean = (role: string) => ({ over: 'descendants', role, combine: 'mean' });
const own = (role: string) => ({ over: 'self', role, combine: 'each' });
const at = (x: number, y: number, w: number, h: number) => ({ x, y, w, h });
const item = (id: string, kind: string, title: string, place: object, settings: object) => ({
  ...{ id, kind, title, place, settings },
});
const TODAY = { function: 'difference', range: 'today' };

/** A board for every site and one for every inverter, by label; what a plant does not measure stays empty there. */
export function plantBoards(language: PlantLanguage): Record<'site' | 'inverter', NewBoard> {
  const title = TITLES[language];
  const site = [
    item('power', 'number', title.power, at(0, 0, 6, 4), { stream: sum('acPower') }),
    item('today', 'number', title.today, at(6, 0, 6, 4), { stream: sum('energyTotal'), ...TODAY }),
    item('light', 'number', title.light, at(12, 0, 6, 4), { stream: mean('irradiancePoa') }),
    item('grid', 'number', title.grid, at(18, 0, 6, 4), { stream: sum('gridPower') }),
    item('flow', 'flow', title.flow, at(0, 4, 9, 10), {}),
    item('day', 'lines', title.day, at(9, 4, 15, 10), {
      streams: [sum('acPower', { name: title.generation }), sum('gridPower', { name: title.gridLine })],
    }),
    item('parts', 'table', title.inverters, at(0, 14, 14, 10), {
      rows: 'label',
      label: 'inverter',
      columns: [
        { stream: own('acPower'), name: title.power },
        { stream: own('energyTotal'), function: 'difference', name: title.energy },
        { stream: own('deviceTemperature'), name: title.temperature },
      ],
    }),
    item('states', 'status', title.states, at(14, 14, 10, 10), {
      rows: 'label',
      label: 'inverter',
      stream: own('state'),
    }),
  ];
  const inverter = [
    item('power', 'number', title.power, at(0, 0, 8, 4), { stream: own('acPower') }),
    item('dc', 'number', title.dc, at(8, 0, 8, 4), { stream: own('dcPower') }),
    item('today', 'number', title.today, at(16, 0, 8, 4), { stream: own('energyTotal'), ...TODAY }),
    item('powers', 'lines', title.powers, at(0, 4, 24, 10), { streams: [own('acPower'), own('dcPower')] }),
    item('days', 'bars', title.days, at(0, 14, 24, 9), {
      streams: [own('energyTotal')],
      interval: '1d',
      range: 'last-14-days',
    }),
  ];
  const boardOf = (typeId: 'site' | 'inverter', items: object[]) =>
    newBoard.parse({
      type: 'label',
      typeId,
      name: title[typeId],
      board: { zone: 'collected', items },
    });
  return { site: boardOf('site', site), inverter: boardOf('inverter', inverter) };
}
