import type { HistoryFormat } from '@albedo/contract/history-imports/history-imports.schema';
import { wallTime, zoneOffsetMs } from '@albedo/contract/time/zoned-time';
import { writeXlsx } from 'hucre/xlsx';

/** A file as a vendor's portal or logger writes it, and what is in it. */
export interface VendorFile {
  vendor: string;
  name: string;
  format: HistoryFormat;
  bytes: Buffer;
  timezone: string;
  standardTime?: boolean;
  /** Column and unit of the power that is compared. */
  column: string;
  units: string | null;
  /** Records that are no events, as of a total below the table. */
  faulty: number;
  /** Rising instants (epoch ms) and what the file says of them. */
  events: { at: number; value: number }[];
}

const STEP = 15 * 60_000;
const BERLIN = 'Europe/Berlin';
const NEW_YORK = 'America/New_York';

/** Every quarter of an hour of the days around both changes of the clocks of 2026. */
function instants(zone: string): number[] {
  const changes = zone === BERLIN ? ['2026-03-29', '2026-10-25'] : ['2026-03-08', '2026-11-01'];
  return changes.flatMap((day) => {
    const from = Date.parse(`${day}T00:00:00Z`) - 12 * 3_600_000;
    return Array.from({ length: 36 * 4 }, (_, i) => from + i * STEP);
  });
}

/** Different at every instant, with three decimals now and then. */
const powerAt = (at: number): number => Math.round(((at / STEP) % 9973) * 1508) / 1000;
const eventsOf = (zone: string) => instants(zone).map((at) => ({ at, value: powerAt(at) }));

const two = (n: number) => String(n).padStart(2, '0');
const clockOf = (at: number, zone: string) => {
  const { year, month, day, hour, minute, second } = wallTime(at, zone);
  return {
    year,
    y: two(year % 100),
    m: two(month),
    d: two(day),
    h: two(hour),
    min: two(minute),
    s: two(second),
    hour,
  };
};
const german = (value: number) => value.toFixed(3).replace('.', ',');
const grouped = (value: number) => value.toLocaleString('en-US', { minimumFractionDigits: 1 });
const latin = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

/** Sunny Explorer: names in several lines, none of them whole, the format and the units below; Windows-1252. */
function sma(): VendorFile {
  const events = eventsOf(BERLIN);
  const lines = events.map(({ at, value }) => {
    const { d, m, year, h, min, s } = clockOf(at, BERLIN);
    return `${d}.${m}.${year} ${h}:${min}:${s};${german(at / 1e9)};${german(value)}`;
  });
  const text = [
    'sep=;',
    'Version CSV1|Tool SE|Linebreaks CR/LF|Delimiter semicolon|Decimalpoint comma|Precision 3',
    '',
    ';SN: 2110123456;SN: 2110123456',
    ';SB 3000TL Dachfläche;SB 3000TL Dachfläche',
    ';2110123456;2110123456',
    ';Total yield;Power',
    ';Counter;Analog',
    'dd.MM.yyyy HH:mm:ss;kWh;kW',
    ...lines,
  ].join('\r\n');
  return { ...of('SMA', 'csv', latin(text), BERLIN, events), column: 'Power', units: 'kW' };
}

/** Plenticore: tabs, what the inverter is above the names, seconds since 1970. */
function kostal(): VendorFile {
  const events = eventsOf(BERLIN).map(({ at, value }) => ({ at, value: Math.round(value) }));
  const text = [
    'Wechselrichter Logdaten',
    '',
    'Wechselrichter-Nr:\t255',
    'Name:\tDach',
    'akt. Zeit:\t1777000000',
    '',
    'Logdaten U[V], I[mA], P[W], E[kWh], F[Hz], R[kOhm], Ain T[digit], Zeit[sec]',
    'Zeit\tDC1 U\tDC1 P\tAC1 P\tFC I\tKB S',
    ...events.map(({ at, value }) => `${at / 1000}\t412\t${value + 9}\t${value}\t0\t7`),
    '',
  ].join('\r\n');
  return { ...of('Kostal', 'csv', latin(text), BERLIN, events), column: 'AC1 P' };
}

/** FusionSolar: a sheet with a title, and DST behind the times of summer. */
async function huawei(): Promise<VendorFile> {
  const events = eventsOf(BERLIN);
  const rows = events.map(({ at, value }) => {
    const { year, m, d, h, min, s } = clockOf(at, BERLIN);
    const isSummer = zoneOffsetMs(at, BERLIN) > 3_600_000;
    return [
      'Plant',
      'INV-1',
      `${year}-${m}-${d} ${h}:${min}:${s}${isSummer ? ' DST' : ''}`,
      value,
      'Grid connected',
    ];
  });
  const head = ['Site Name', 'ManageObject', 'Start Time', 'Active power(kW)', 'Inverter status'];
  const bytes = await writeXlsx({
    sheets: [{ name: 'History Data', rows: [['History Data', null, null, null, null], head, ...rows] }],
  });
  return { ...of('Huawei', 'xlsx', Buffer.from(bytes), BERLIN, events), column: 'Active power(kW)' };
}

/** Solar-Log: newest first, years of two digits, date and time apart, the names of each inverter again. */
function solarLog(): VendorFile {
  const events = eventsOf(BERLIN).map(({ at, value }) => ({ at, value: Math.round(value) }));
  const text = [
    '#Date;Time;INV;Pac;DaySum;Status;Error;Pdc1;Udc1;INV;Pac;DaySum;Status;Error;Pdc1;Udc1',
    ...events.toReversed().map(({ at, value }) => {
      const { d, m, y, h, min, s } = clockOf(at, BERLIN);
      return `${d}.${m}.${y};${h}:${min}:${s};1;7;100;4;0;8;412;2;${value};200;4;0;9;407`;
    }),
  ].join('\n');
  return { ...of('Solar-Log', 'csv', Buffer.from(text), BERLIN, events), column: 'Pac (2)' };
}

/** Solar.web: a mark at the beginning, the format and the units in brackets below the names. */
function fronius(): VendorFile {
  const events = eventsOf(BERLIN);
  const text = [
    'Datum und Uhrzeit;Energie | Symo 8.2;Energie gesamt',
    '[dd.MM.yyyy HH:mm];[Wh];[Wh]',
    ...events.map(({ at, value }) => {
      const { d, m, year, h, min } = clockOf(at, BERLIN);
      return `${d}.${m}.${year} ${h}:${min};${german(value)};${german(value * 2)}`;
    }),
  ].join('\r\n');
  return { ...of('Fronius', 'csv', utf16(text), BERLIN, events), column: 'Energie | Symo 8.2', units: 'Wh' };
}

/** The monitoring portal in the United States: the month first, hours of a clock of twelve. */
function solarEdge(): VendorFile {
  const events = eventsOf(NEW_YORK);
  const text = [
    'Time,System Production (W)',
    ...events.map(({ at, value }) => {
      const { m, d, year, hour, min } = clockOf(at, NEW_YORK);
      return `${m}/${d}/${year} ${hour % 12 || 12}:${min} ${hour < 12 ? 'AM' : 'PM'},${value}`;
    }),
  ].join('\n');
  return { ...of('SolarEdge', 'csv', Buffer.from(text), NEW_YORK, events), column: 'System Production (W)' };
}

/** Enlighten: commas between thousands, and a total below. */
function enphase(): VendorFile {
  const events = eventsOf(NEW_YORK);
  const text = [
    '"Date/Time","Energy Produced (Wh)"',
    ...events.map(({ at, value }) => {
      const { m, d, year, h, min } = clockOf(at, NEW_YORK);
      return `"${m}/${d}/${year} ${h}:${min}","${grouped(value)}"`;
    }),
    '"Total","1,234,567.8"',
  ].join('\n');
  const file = of('Enphase', 'csv', Buffer.from(text), NEW_YORK, events);
  return { ...file, column: 'Energy Produced (Wh)', faulty: 1 };
}

/** PVDAQ: the clock of the logger stays on standard time all year. */
function pvdaq(): VendorFile {
  const events = eventsOf(NEW_YORK);
  const text = [
    'measured_on,ac_power__315,poa_irradiance__313',
    ...events.map(({ at, value }) => {
      const wall = new Date(at - 5 * 3_600_000).toISOString();
      return `${wall.slice(0, 10)} ${wall.slice(11, 19)},${value},${value / 3}`;
    }),
  ].join('\n');
  const file = of('PVDAQ', 'csv', Buffer.from(text), NEW_YORK, events);
  return { ...file, column: 'ac_power__315', standardTime: true };
}

function of(
  vendor: string,
  format: HistoryFormat,
  bytes: Buffer,
  timezone: string,
  events: VendorFile['events'],
): Omit<VendorFile, 'column'> & { column: string } {
  const name = `${vendor.toLowerCase()}.${format}`;
  return { vendor, name, format, bytes, timezone, column: '', units: null, faulty: 0, events };
}

/** Some days of every vendor, by the layouts that they have published. */
export const VENDOR_FILES: Readonly<Record<string, () => VendorFile | Promise<VendorFile>>> = {
  SMA: sma,
  Kostal: kostal,
  Huawei: huawei,
  'Solar-Log': solarLog,
  Fronius: fronius,
  SolarEdge: solarEdge,
  Enphase: enphase,
  PVDAQ: pvdaq,
};
