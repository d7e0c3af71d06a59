/**
 * Zones that browsers list under a name that the time zone database has given up, with the one it has today. Browsers
 * know both; there is nothing to ask them which is which.
 */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};
const FORMER = new Map(Object.entries(RENAMED).map(([former, name]) => [name, former]));

/** The name that a zone has today, where this browser knows it; the name as it is otherwise. */
export function todaysName(zone: string): string {
  const name = RENAMED[zone];
  return name !== undefined && isZone(name) ? name : zone;
}

/** Whether some clock of this browser goes by the name. */
export function isZone(name: string): boolean {
  if (name === '') return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Region/city names that can be chosen, as they are today. */
export const zoneNames = (): string[] => {
  const names = Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/'));
  return [...new Set(names.map(todaysName))].toSorted();
};

/** Whether people who type `text` may mean the zone: a part of its name, or of the one it had. */
export function isMeant(zone: string, text: string): boolean {
  const wanted = plain(text);
  return [zone, FORMER.get(zone) ?? ''].some((name) => plain(name).includes(wanted));
}

const plain = (text: string): string => text.trim().toLowerCase().replaceAll('_', ' ');
