import type { Dimension, FieldRole, SourceKind } from './field-roles.ts';
import { FIELD_ROLES } from './field-roles.ts';
import { readUnit } from './field-units.ts';
import { wordsOf } from './field-words.ts';

/** A field as its source sends it. */
export interface NamedField {
  name: string;
  units: string | null;
}

/** The meaning of one field. `isReversed`: the source counts the other way round than the role does. */
export interface RoleOfField {
  role: FieldRole;
  isReversed: boolean;
}

export interface GuessedSource {
  kind: SourceKind;
  /** By the name of the field; a field without a role is missing. A role stands at one field at most. */
  roles: Map<string, RoleOfField>;
}

/**
 * What a source is and what its fields mean, from names and units alone. Each role is given to the field that fits
 * best, and what is not plain stays without one: people can say it.
 */
export function guessRoles(source: {
  table: string;
  source: string;
  fields: readonly NamedField[];
}): GuessedSource {
  const fields = source.fields.map((field) => ({ ...field, words: wordsOf(field.name) }));
  const kind = kindOf(`${source.table} ${source.source}`, fields);
  const best = new Map<FieldRole, { name: string; rank: number; isReversed: boolean }>();
  for (const field of fields) {
    const guess = guessOf(field, kind);
    if (!guess) continue;
    const rank = guess.rank * 100 + field.words.split(' ').length;
    const known = best.get(guess.role);
    if (!known || rank < known.rank)
      best.set(guess.role, { name: field.name, rank, isReversed: guess.isReversed });
  }
  // One that is told in two fields, import and export, stands in neither of them.
  const net = fields.filter(({ words, units }) => isPower(units, words));
  if (net.some(({ words }) => has(words, ...EXPORT)) && net.some(({ words }) => has(words, ...IMPORT)))
    best.delete('gridPower');
  // An inverter's grid side is its output, unless it manages a site with loads or a battery as well.
  const output = best.get('gridPower');
  const managesSite = ['acPower', 'loadPower', 'batteryPower'].some((role) => best.has(role as FieldRole));
  if (kind === 'inverter' && output && !output.isReversed && !managesSite) {
    best.delete('gridPower');
    best.set('acPower', output);
  }
  return {
    kind,
    roles: new Map([...best].map(([role, { name, isReversed }]) => [name, { role, isReversed }])),
  };
}

interface WordedField extends NamedField {
  words: string;
}

const isPower = (units: string | null, words: string): boolean =>
  (readUnit(units)?.dimension ?? dimensionByName(words)) === 'power';

const has = (words: string, ...wanted: string[]): boolean =>
  new RegExp(`(^| )(${wanted.join('|')})( |$)`).test(words);

const NAMES: readonly (readonly [SourceKind, RegExp])[] = [
  ['computer', /(^| )(black box|agent errors|audit logs|cpu)( |$)/],
  ['battery', /(^| )(battery|batteries|batterie|bateria|bess|bms|storage|speicher|accu|akku)( |$)/],
  [
    'station',
    /(^| )(weather|meteo|met|station|wetter|clima|pyranometer|irradiance|sensor box|sensorbox)( |$)/,
  ],
  ['meter', /(^| )(meter|meters|grid|zaehler|zähler|contador|netz|red|pcc|utility|em|smartmeter)( |$)/],
  ['inverter', /(^| )(inverter|inverters|inv|wr|wechselrichter|inversor|solar|pv|sunspec|string)( |$)/],
];

/** Names of a source say most; where they say nothing, its fields do. */
function kindOf(name: string, fields: readonly WordedField[]): SourceKind {
  const words = wordsOf(name);
  const units = new Set(fields.map(({ units }) => readUnit(units)?.dimension));
  const any = (pattern: RegExp) => fields.some((field) => pattern.test(field.words));
  // Its fields are stronger than a name such as `solar`, which tables of a whole site have.
  if (any(/(^| )(cpu usage|mem usage|cpu load)( |$)/)) return 'computer';
  if (any(/(^| )(soc|state of charge|ladezustand)( |$)/) && !any(PV_WORDS)) return 'battery';
  const hasPower = units.has('power') || units.has('energy');
  if (units.has('irradiance') && !hasPower) return 'station';
  for (const [kind, pattern] of NAMES) {
    if (!pattern.test(words)) continue;
    if (kind === 'station' && hasPower && !units.has('irradiance')) continue;
    return kind;
  }
  if (any(/(^| )(exported|imported|export|import|wh exp|wh imp|einspeisung|bezug)( |$)/)) return 'meter';
  // The points of a SunSpec inverter, bare.
  if (any(PV_WORDS) || (any(/^w$/) && any(/^wh$/))) return 'inverter';
  if (units.has('irradiance') || any(/(^| )(poa|poai|ghi|irradiance|einstrahlung|irradiancia)( |$)/))
    return 'station';
  return 'other';
}

/** What only something that generates has. */
const PV_WORDS =
  /(^| )(dc power|dc voltage|dcw|dcv|pdc|ppv|vpv|pv|mppt|udc|pac|e total|e today|ac power|yield|ertrag|sunspec)( |$)/;

/** Values of a part: one phase, one input, one string; and what is no measurement of now. */
const PART =
  /(^| )(\d+|l ?[123]|ph ?[abc]|phase|phases?|[abc]|[rst])$|(^| )(pv|mppt|mpp|string|str|tracker|input|ch|channel) \d+( |$)/;
/** Sensors are numbered too, but each of them measures the whole. */
const NUMBERED: ReadonlySet<Dimension> = new Set(['irradiance', 'temperature', 'speed']);
const NO_MEASUREMENT =
  /(^| )(max|min|limit|limits|setpoint|set|target|rated|nominal|nennleistung|peak|wmax|rating|available|avg|average|mean|forecast|expected|derating|reserve)( |$)/;

type Guess = { role: FieldRole; rank: number; isReversed: boolean };
const guess = (role: FieldRole, rank: number, isReversed = false): Guess => ({ role, rank, isReversed });

function guessOf({ name, units, words }: WordedField, kind: SourceKind): Guess | null {
  if (NO_MEASUREMENT.test(words)) return null;
  const written = readUnit(units);
  const named = dimensionByName(words);
  const dimension = written?.dimension ?? named;
  if (dimension === null || (units !== null && units.trim() !== '' && written === null)) return null;
  if (PART.test(words) && words.length > 1 && !NUMBERED.has(dimension)) return null;
  // `DC Power` in volts is neither a power nor a voltage that one could trust.
  if (written !== null && named !== null && named !== dimension) return null;
  const found = BY_DIMENSION[dimension]?.(words, kind, name) ?? null;
  // A unit that was sent has to be one of the role's.
  return found && (written === null || FIELD_ROLES[found.role].dimension === dimension) ? found : null;
}

/** What a name measures that came without a unit; null where nothing says it. */
function dimensionByName(words: string): Dimension | null {
  if (
    /(^| )(wh|kwh|mwh|energy|energie|energia|e total|e today|e day|etotal|etoday|yield|ertrag|gesamtertrag|tagesertrag)( |$)/.test(
      words,
    )
  )
    return 'energy';
  if (
    /(^| )(soc|state of charge|ladezustand|cpu usage|mem usage|disk usage|rh|humidity|feuchte|humedad)( |$)/.test(
      words,
    )
  )
    return 'ratio';
  if (
    /(^| )(poa|poai|ghi|dni|dhi|dfi|gti|irradiance|einstrahlung|irradiancia|radiation|radiacion)( |$)/.test(
      words,
    )
  )
    return 'irradiance';
  if (/(^| )(tmp|temp|temperature|temperatur|temperatura|tmod|tamb)( |$)/.test(words)) return 'temperature';
  if (
    /(^| )(cos phi|cosphi|pf|power factor|st|state|status|mode|zustand|betriebszustand|estado|evt|event|events|fault|error)( |$)/.test(
      words,
    )
  )
    return 'none';
  if (/(^| )(frequency|freq|fac|hz|frequenz|frecuencia)( |$)/.test(words)) return 'frequency';
  if (/(^| )(reactive|blindleistung|reactiva|var|q)( |$)/.test(words)) return 'reactivePower';
  if (/(^| )(apparent|scheinleistung|aparente|va)( |$)/.test(words)) return 'apparentPower';
  if (/(^| )(pac|pdc|ppv|power|leistung|wirkleistung|potencia|w|dcw|p)( |$)/.test(words)) return 'power';
  if (/(^| )(wind speed|wnd spd|windgeschwindigkeit)( |$)/.test(words)) return 'speed';
  if (/(^| )(wind direction|wnd dir)( |$)/.test(words)) return 'angle';
  if (/(^| )(voltage|spannung|tension|udc|uac|vdc|vac|dcv|vpv)( |$)/.test(words)) return 'voltage';
  if (/(^| )(current|strom|corriente|idc|iac|dca|ipv)( |$)/.test(words)) return 'current';
  return null;
}

type Reader = (words: string, kind: SourceKind, name: string) => Guess | null;

const EXPORT = [
  'export',
  'exported',
  'exp',
  'feed in',
  'feedin',
  'einspeisung',
  'vertido',
  'exportada',
  'sold',
];
const IMPORT = ['import', 'imported', 'imp', 'purchased', 'bezug', 'netzbezug', 'importada', 'drawn'];
const GRID = ['grid', 'meter', 'mains', 'pcc', 'utility', 'exchange', 'netz', 'red'];
const LOAD = ['load', 'loads', 'consumption', 'house', 'home', 'demand', 'verbrauch', 'consumo', 'site'];
const BATTERY = ['battery', 'batt', 'bat', 'storage', 'batterie', 'speicher', 'bateria'];
const CHARGE = ['charge', 'charging', 'charged', 'ladung', 'carga'];
const DISCHARGE = ['discharge', 'discharging', 'discharged', 'entladung', 'descarga'];
const DC = ['dc', 'dcw', 'pdc', 'ppv', 'pv', 'array', 'mppt'];
const TODAY = ['today', 'day', 'daily', 'tag', 'heute', 'tagesertrag', 'hoy', 'diaria', 'etoday', 'eday'];
const OTHER_SPANS = [
  'month',
  'monthly',
  'year',
  'yearly',
  'week',
  'yesterday',
  'hour',
  'hourly',
  'monat',
  'jahr',
];

const power: Reader = (words, kind) => {
  if (has(words, 'reactive', 'apparent', 'blindleistung', 'scheinleistung', 'var', 'va')) return null;
  if (has(words, ...BATTERY) || kind === 'battery') {
    const isCharge = has(words, ...CHARGE) && !has(words, ...DISCHARGE);
    return guess('batteryPower', has(words, ...BATTERY) ? 0 : 1, isCharge);
  }
  if (has(words, ...EXPORT)) return guess('gridPower', 1, true);
  if (has(words, ...GRID, ...IMPORT)) return guess('gridPower', 0);
  if (has(words, ...LOAD)) return guess('loadPower', 0);
  if (kind === 'meter') return guess('gridPower', has(words, 'active', 'ac', 'total', 'w') ? 1 : 2);
  if (has(words, 'ac', 'pac', 'output', 'out')) return guess('acPower', 0);
  if (has(words, ...DC)) return guess('dcPower', 0);
  if (kind === 'inverter')
    return guess('acPower', has(words, 'active', 'w', 'wirkleistung', 'activa', 'p', 'generation') ? 1 : 2);
  return has(words, 'generation', 'production', 'erzeugung') ? guess('acPower', 1) : null;
};

const energy: Reader = (words, kind) => {
  if (has(words, ...OTHER_SPANS)) return null;
  const isToday = has(words, ...TODAY);
  if (has(words, ...BATTERY) || kind === 'battery') {
    if (isToday) return null;
    if (has(words, ...DISCHARGE)) return guess('batteryEnergyDischarged', 0);
    return has(words, ...CHARGE) ? guess('batteryEnergyCharged', 0) : null;
  }
  if (has(words, ...EXPORT)) return isToday ? null : guess('gridEnergyExported', 0);
  if (has(words, ...IMPORT)) return isToday ? null : guess('gridEnergyImported', 0);
  if (has(words, ...LOAD)) return isToday ? null : guess('loadEnergyTotal', 0);
  // Without a direction nobody knows which way a meter counted.
  if (kind === 'meter') return null;
  if (has(words, 'dc', 'reactive', 'apparent')) return null;
  const isGeneration =
    kind === 'inverter' || has(words, 'yield', 'generation', 'production', 'pv', 'erzeugung');
  if (!isGeneration) return null;
  if (isToday) return guess('energyToday', 0);
  const isTotal = has(
    words,
    'total',
    'lifetime',
    'tot',
    'gesamtertrag',
    'whole',
    'etotal',
    'counter',
    'accumulated',
  );
  return guess('energyTotal', isTotal ? 0 : 2);
};

const irradiance: Reader = (words) => {
  if (has(words, 'diffuse', 'dhi', 'dfi', 'difusa')) return guess('irradianceDhi', 0);
  if (has(words, 'direct', 'dni', 'beam', 'directa')) return guess('irradianceDni', 0);
  if (
    has(
      words,
      'poa',
      'poai',
      'plane',
      'inclined',
      'tilted',
      'gti',
      'module',
      'modul',
      'modulebene',
      'inclinada',
      'gpoa',
    )
  )
    return guess('irradiancePoa', 0);
  if (has(words, 'ghi', 'global', 'horizontal')) return guess('irradianceGhi', 0);
  if (has(words, 'other', 'reflected', 'albedo', 'rear', 'back')) return null;
  // A sensor of a plant lies in the plane of its modules; one of a weather station does not.
  return has(words, 'solar radiation', 'radiation') ? guess('irradianceGhi', 2) : guess('irradiancePoa', 2);
};

const temperature: Reader = (words, kind) => {
  if (has(words, 'cpu', 'gpu', 'battery', 'batt', 'cell') && kind !== 'station') return null;
  if (
    has(
      words,
      'module',
      'modul',
      'modulo',
      'panel',
      'cell',
      'bom',
      'tmod',
      'modultemperatur',
      'pv',
      'tmp bom',
    )
  )
    return guess('moduleTemperature', 0);
  if (
    has(
      words,
      'ambient',
      'air',
      'outside',
      'outdoor',
      'tamb',
      'amb',
      'external',
      'umgebung',
      'aussentemperatur',
      'ambiente',
      'luft',
    )
  )
    return guess('ambientTemperature', 0);
  if (kind === 'inverter' || kind === 'battery')
    return guess('deviceTemperature', has(words, 'cabinet', 'cab', 'internal', 'inverter') ? 0 : 1);
  return kind === 'station' && !has(words, 'soil', 'dew', 'point') ? guess('ambientTemperature', 2) : null;
};

const none: Reader = (words, kind) => {
  if (has(words, 'cos phi', 'cosphi', 'pf', 'power factor')) return guess('powerFactor', 0);
  if (kind === 'station' || kind === 'computer') return null;
  if (has(words, 'evt', 'event', 'events')) return guess('event', 0);
  if (has(words, 'state', 'status', 'zustand', 'estado', 'st', 'betriebszustand', 'operating mode'))
    return guess('state', has(words, 'operating', 'operation') || /^(state|status|st)$/.test(words) ? 0 : 1);
  return null;
};

const ratio: Reader = (words, kind) => {
  if (has(words, 'soc', 'state of charge', 'ladezustand', 'charge level', 'battery level'))
    return guess('stateOfCharge', 0);
  if (has(words, 'humidity', 'rh', 'feuchte', 'humedad')) return guess('humidity', 0);
  if (kind !== 'computer') return null;
  if (has(words, 'cpu')) return guess('cpuUsage', 0);
  if (has(words, 'mem', 'memory', 'ram')) return guess('memoryUsage', 0);
  return has(words, 'disk', 'disc') ? guess('diskUsage', 0) : null;
};

const isDc = (words: string): boolean =>
  has(words, 'dc', 'udc', 'vdc', 'idc', 'dcv', 'dca', 'pv', 'vpv', 'ipv', 'array');
const electric =
  (dc: FieldRole, ac: FieldRole): Reader =>
  (words, kind) => {
    if (kind === 'battery' || has(words, ...BATTERY)) return null;
    if (isDc(words)) return guess(dc, 0);
    return kind === 'inverter' || kind === 'meter' ? guess(ac, has(words, 'ac') ? 0 : 1) : null;
  };

const BY_DIMENSION: Partial<Record<Dimension, Reader>> = {
  power,
  energy,
  irradiance,
  temperature,
  none,
  ratio,
  apparentPower: () => guess('apparentPower', 0),
  reactivePower: () => guess('reactivePower', 0),
  frequency: (_words, kind) => (kind === 'computer' ? null : guess('frequency', 0)),
  speed: (words) =>
    has(words, 'wind', 'ws', 'wnd', 'windgeschwindigkeit', 'viento') ? guess('windSpeed', 0) : null,
  angle: (words) => (has(words, 'wind', 'wd', 'wnd', 'viento') ? guess('windDirection', 0) : null),
  voltage: electric('dcVoltage', 'acVoltage'),
  current: electric('dcCurrent', 'acCurrent'),
};
