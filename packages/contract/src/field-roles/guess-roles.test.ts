import { describe, expect, test } from 'vitest';
import { readUnit } from './field-units.ts';
import { wordsOf } from './field-words.ts';
import { guessRoles } from './guess-roles.ts';

/** Roles by field of one source; `units` stand behind a colon of the name. */
function guessed(stream: string, ...fields: string[]) {
  const [table = '', source = ''] = stream.split('/');
  const named = fields.map((text) => {
    const [name = '', units = null] = text.split(':');
    return { name, units };
  });
  const { kind, roles } = guessRoles({ table, source, fields: named });
  return {
    kind,
    ...Object.fromEntries(
      [...roles].map(([field, { role, isReversed }]) => [field, isReversed ? `-${role}` : role]),
    ),
  };
}

test('names are read however their makers join words', () => {
  expect(
    ['TotWhImp', 'E-Total', 'AC_Power', 'acPower', 'WHExp', 'Modul-Temperatur', 'Außentemperatur', 'SoC'].map(
      wordsOf,
    ),
  ).toEqual([
    'tot wh imp',
    'e total',
    'ac power',
    'ac power',
    'wh exp',
    'modul temperatur',
    'aussentemperatur',
    'soc',
  ]);
});

test('units are read with their prefixes, and an unknown one is none', () => {
  expect(readUnit('kWh')).toEqual({ dimension: 'energy', factor: 1000, offset: 0 });
  expect(readUnit('KW')).toEqual({ dimension: 'power', factor: 1000, offset: 0 });
  expect(readUnit('mV')).toMatchObject({ dimension: 'voltage', factor: 0.001 });
  expect(readUnit('MW')).toMatchObject({ dimension: 'power', factor: 1e6 });
  expect(readUnit('W/m2')).toMatchObject({ dimension: 'irradiance', factor: 1 });
  const { factor, offset } = readUnit('°F') ?? { factor: 0, offset: 0 };
  expect(212 * factor + offset).toBeCloseTo(100);
  expect([readUnit('furlong'), readUnit(''), readUnit(null)]).toEqual([null, null, null]);
});

describe('sources of plants', () => {
  test('an inverter in the common vocabulary', () => {
    expect(
      guessed(
        'solar/inv-01',
        'AC Power:W',
        'AC Power 1:W',
        'Apparent Power:VA',
        'Reactive Power:var',
        'Cos Phi',
        'AC Current:A',
        'AC Voltage 1:V',
        'Grid Freq:Hz',
        'Total Energy:Wh',
        'DC Power:W',
        'DC Power 1:W',
        'DC Voltage 1:V',
        'Cabinet Temperature:°C',
        'Heat Sink Temperature:°C',
        'Status',
        'Event',
      ),
    ).toEqual({
      kind: 'inverter',
      'AC Power': 'acPower',
      'Apparent Power': 'apparentPower',
      'Reactive Power': 'reactivePower',
      'Cos Phi': 'powerFactor',
      'AC Current': 'acCurrent',
      'Grid Freq': 'frequency',
      'Total Energy': 'energyTotal',
      'DC Power': 'dcPower',
      'Cabinet Temperature': 'deviceTemperature',
      Status: 'state',
      Event: 'event',
    });
  });

  test('an inverter in points of SunSpec', () => {
    expect(
      guessed('modbus/sunspec 1', 'W', 'WH', 'DCW', 'Hz', 'VAr', 'PF', 'TmpCab', 'St', 'Evt1', 'WphA'),
    ).toMatchObject({
      kind: 'inverter',
      W: 'acPower',
      WH: 'energyTotal',
      DCW: 'dcPower',
      Hz: 'frequency',
      TmpCab: 'deviceTemperature',
      St: 'state',
    });
  });

  test('an inverter in the words of other makers', () => {
    expect(guessed('sma/wr 3', 'Pac:W', 'E-Total:kWh', 'E-Today:kWh', 'Upv-Ist:V', 'Fac:Hz')).toMatchObject({
      kind: 'inverter',
      Pac: 'acPower',
      'E-Total': 'energyTotal',
      'E-Today': 'energyToday',
    });
    expect(
      guessed('daten/x', 'Wirkleistung:kW', 'Gesamtertrag:kWh', 'Tagesertrag:kWh', 'Betriebszustand'),
    ).toMatchObject({ kind: 'other' });
    expect(
      guessed(
        'daten/wechselrichter 1',
        'Wirkleistung:kW',
        'Gesamtertrag:kWh',
        'Tagesertrag:kWh',
        'Betriebszustand',
      ),
    ).toEqual({
      kind: 'inverter',
      Wirkleistung: 'acPower',
      Gesamtertrag: 'energyTotal',
      Tagesertrag: 'energyToday',
      Betriebszustand: 'state',
    });
    expect(guessed('datos/inversor-2', 'Potencia Activa:kW', 'Energía Total:MWh')).toMatchObject({
      'Potencia Activa': 'acPower',
      'Energía Total': 'energyTotal',
    });
    // The grid side of an inverter is its output.
    expect(guessed('solar/inv', 'Grid Power:W', 'DC Power:W')).toMatchObject({
      'Grid Power': 'acPower',
      'DC Power': 'dcPower',
    });
  });

  test('the present beats limits, phases and other spans', () => {
    expect(
      guessed(
        'solar/inv',
        'Active Power Limit:W',
        'Max AC Power:W',
        'AC Power L1:W',
        'Active Power:W',
        'Monthly Energy:kWh',
        'Energy Yesterday:kWh',
        'Lifetime Energy:kWh',
      ),
    ).toEqual({ kind: 'inverter', 'Active Power': 'acPower', 'Lifetime Energy': 'energyTotal' });
  });

  test('a meter, and one that counts export as positive', () => {
    expect(
      guessed(
        'meter/grid',
        'AC Power:W',
        'AC Power 1:W',
        'Total Energy Exported:Wh',
        'Total Energy Imported:Wh',
      ),
    ).toEqual({
      kind: 'meter',
      'AC Power': 'gridPower',
      'Total Energy Exported': 'gridEnergyExported',
      'Total Energy Imported': 'gridEnergyImported',
    });
    expect(guessed('modbus/100', 'W', 'TotWhImp', 'TotWhExp', 'TotWhExpPhA')).toEqual({
      kind: 'meter',
      W: 'gridPower',
      TotWhImp: 'gridEnergyImported',
      TotWhExp: 'gridEnergyExported',
    });
    expect(
      guessed(
        'meter/ttyUSB0',
        ...[
          'Grid Power:W',
          'Import Energy:Wh',
          'Export Energy:Wh',
          'Import Energy T1:Wh',
          'Export Energy T2:Wh',
        ],
      ),
    ).toEqual({
      kind: 'meter',
      'Grid Power': 'gridPower',
      'Import Energy': 'gridEnergyImported',
      'Export Energy': 'gridEnergyExported',
    });
    expect(guessed('data/zaehler', 'Einspeisung:W', 'Netzbezug:kWh')).toEqual({
      kind: 'meter',
      Einspeisung: '-gridPower',
      Netzbezug: 'gridEnergyImported',
    });
  });

  test('a weather station', () => {
    expect(
      guessed(
        'weather/station',
        'Irradiance POA:W/m²',
        'GHI:W/m2',
        'Diffuse Irradiance:W/m²',
        'Direct Irradiance:W/m²',
        'Module Temperature:°C',
        'Ambient Temperature:°C',
        'Relative Humidity:%',
        'Wind Speed:m/s',
        'Wind Direction:°',
      ),
    ).toEqual({
      kind: 'station',
      'Irradiance POA': 'irradiancePoa',
      GHI: 'irradianceGhi',
      'Diffuse Irradiance': 'irradianceDhi',
      'Direct Irradiance': 'irradianceDni',
      'Module Temperature': 'moduleTemperature',
      'Ambient Temperature': 'ambientTemperature',
      'Relative Humidity': 'humidity',
      'Wind Speed': 'windSpeed',
      'Wind Direction': 'windDirection',
    });
    expect(guessed('weather/station', 'Plane Irradiance:W/m²', 'Global Irradiance:W/m²')).toMatchObject({
      'Plane Irradiance': 'irradiancePoa',
      'Global Irradiance': 'irradianceGhi',
    });
    expect(guessed('data/ws', 'POAI', 'TmpBOM', 'TmpAmb', 'WndSpd')).toEqual({
      kind: 'station',
      POAI: 'irradiancePoa',
      TmpBOM: 'moduleTemperature',
      TmpAmb: 'ambientTemperature',
      WndSpd: 'windSpeed',
    });
    expect(guessed('data/box', 'Irradiance:W/m²')).toMatchObject({ Irradiance: 'irradiancePoa' });
    expect(guessed('data/davis', 'Solar Radiation:W/m²')).toMatchObject({
      'Solar Radiation': 'irradianceGhi',
    });
  });

  test('a battery, and a hybrid inverter that has one', () => {
    expect(
      guessed('battery/bms', 'Power:W', 'SoC:%', 'Max Charge Power:W', 'Discharge Rate:%', 'Status'),
    ).toEqual({
      kind: 'battery',
      Power: 'batteryPower',
      SoC: 'stateOfCharge',
      Status: 'state',
    });
    expect(
      guessed('data/hybrid', 'PV Power:W', 'Battery Charge Power:W', 'Load Power:W', 'Grid Power:W', 'SOC:%'),
    ).toEqual({
      kind: 'inverter',
      'PV Power': 'dcPower',
      'Battery Charge Power': '-batteryPower',
      'Load Power': 'loadPower',
      'Grid Power': 'gridPower',
      SOC: 'stateOfCharge',
    });
  });
});

test('inputs are parts, numbered sensors measure the whole, and import beside export is no balance', () => {
  expect(guessed('solar/inv', 'PV1 Power:W', 'PV2 Power:W', 'PV Power:W', 'AC Power:W')).toEqual({
    kind: 'inverter',
    'PV Power': 'dcPower',
    'AC Power': 'acPower',
  });
  expect(guessed('weather/station', 'POA Irradiance 1:W/m²', 'Module Temperature 2:°C')).toMatchObject({
    'POA Irradiance 1': 'irradiancePoa',
    'Module Temperature 2': 'moduleTemperature',
  });
  expect(guessed('meter/grid', 'Import Power:kW', 'Export Power:kW', 'Energy Import:kWh')).toEqual({
    kind: 'meter',
    'Energy Import': 'gridEnergyImported',
  });
  expect(guessed('data/x', 'W', 'WH', 'St')).toEqual({
    kind: 'inverter',
    W: 'acPower',
    WH: 'energyTotal',
    St: 'state',
  });
});

describe('what is no plant', () => {
  test('a computer has load, not power', () => {
    expect(
      guessed('black_box/Black box', 'CPU usage:%', 'MEM usage:%', 'DISK usage:%', 'CPU temp:°C'),
    ).toEqual({
      kind: 'computer',
      'CPU usage': 'cpuUsage',
      'MEM usage': 'memoryUsage',
      'DISK usage': 'diskUsage',
    });
    expect(guessed('data/this machine', 'cpu_usage:%')).toEqual({ kind: 'computer', cpu_usage: 'cpuUsage' });
  });

  test('a machine that only uses power generates nothing', () => {
    expect(guessed('plc/press 4', 'Power:kW', 'Energy:kWh', 'Temperature:°C', 'Status')).toEqual({
      kind: 'other',
      Status: 'state',
    });
    expect(guessed('data/pump', 'power', 'Unknown:furlong')).toEqual({ kind: 'other' });
  });

  test('a field whose unit measures something else is not taken by its name', () => {
    expect(guessed('solar/inv', 'AC Power:%', 'DC Power:V')).toEqual({ kind: 'inverter' });
  });
});
