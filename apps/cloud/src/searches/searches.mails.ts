import { MAILED_ROWS, type NewSchedule } from '@albedo/contract/searches/searches.schema';
import type { Language } from '@albedo/contract/settings/settings.schema';
import type { Mail } from '../mail/mail.service.ts';
import type { MailedFile } from './mailed-file.ts';
import type { SearchRow } from './searches.store.ts';

/** Who sends it, and from where; it is written in the owner's language, for those who get it need no account. */
export interface About {
  owner: { name: string; email: string };
  language: Language;
  /** Display name. */
  workgroup: string;
  url: string;
  zone: string;
}

/** The mail that a schedule sends. */
export function searchMail(
  { name, content }: SearchRow,
  { frequency, recipients }: Pick<NewSchedule, 'frequency' | 'recipients'>,
  file: MailedFile,
  { owner, language, workgroup, url, zone }: About,
): Mail {
  const { range, records, total } = file;
  const words = WORDS[language];
  const timeText = (at: number) =>
    new Intl.DateTimeFormat(language, { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' }).format(at);
  const count = (number: number) => new Intl.NumberFormat(language).format(number);
  const isCut = total > records;
  return {
    to: recipients,
    language,
    subject: `${name}: ${words.records(count(total), total)}`,
    paragraphs: [
      words.greeting,
      words.sent(`${owner.name} (${owner.email})`, words.each[frequency]),
      ...(isCut ? [words.cut(count(MAILED_ROWS))] : []),
      ...(total === 0 ? [words.empty] : []),
    ],
    facts: [
      [words.workgroup, workgroup],
      [words.table, content.table],
      [words.time, range ? `${timeText(range.from)} – ${timeText(range.to)} (${zone})` : words.asSet],
      [words.inFile, count(records)],
    ],
    action: { text: words.open, url },
    note: words.note,
    attachments: [file.attachment],
  };
}

const WORDS = {
  en: {
    greeting: 'Hello,',
    records: (text: string, count: number) => (count === 1 ? '1 record' : `${text} records`),
    each: { hourly: 'every hour', daily: 'every day', weekly: 'every week', monthly: 'every month' },
    sent: (who: string, each: string) => `${who} has the result of this search mailed to you ${each}.`,
    cut: (most: string) =>
      `A mail has up to ${most} records. The file has the first ones in the order of the search.`,
    empty: 'The search found nothing this time. The file has its columns only.',
    workgroup: 'Workgroup',
    table: 'Table',
    time: 'Time',
    asSet: 'as saved in the search',
    inFile: 'Records in the file',
    open: 'Open the search',
    note: 'The link works for members of the workgroup. Ask the sender to take you off the list if you do not want these mails.',
  },
  de: {
    greeting: 'Guten Tag,',
    records: (text: string, count: number) => (count === 1 ? '1 Datensatz' : `${text} Datensätze`),
    each: { hourly: 'jede Stunde', daily: 'jeden Tag', weekly: 'jede Woche', monthly: 'jeden Monat' },
    sent: (who: string, each: string) => `${who} lässt Ihnen ${each} das Ergebnis dieser Suche schicken.`,
    cut: (most: string) =>
      `Eine Mail enthält bis zu ${most} Datensätze. Die Datei hat die ersten in der Reihenfolge der Suche.`,
    empty: 'Die Suche hat diesmal nichts gefunden. Die Datei hat nur ihre Spalten.',
    workgroup: 'Arbeitsgruppe',
    table: 'Tabelle',
    time: 'Zeitraum',
    asSet: 'wie in der Suche gespeichert',
    inFile: 'Datensätze in der Datei',
    open: 'Suche öffnen',
    note: 'Der Link gilt für Mitglieder der Arbeitsgruppe. Wenn Sie diese Mails nicht möchten, bitten Sie die absendende Person, Sie von der Liste zu nehmen.',
  },
  es: {
    greeting: 'Hola:',
    records: (text: string, count: number) => (count === 1 ? '1 registro' : `${text} registros`),
    each: { hourly: 'cada hora', daily: 'cada día', weekly: 'cada semana', monthly: 'cada mes' },
    sent: (who: string, each: string) => `${who} le envía ${each} el resultado de esta búsqueda.`,
    cut: (most: string) =>
      `Un correo contiene hasta ${most} registros. El archivo tiene los primeros en el orden de la búsqueda.`,
    empty: 'La búsqueda no ha encontrado nada esta vez. El archivo solo tiene las columnas.',
    workgroup: 'Grupo de trabajo',
    table: 'Tabla',
    time: 'Periodo',
    asSet: 'como se guardó en la búsqueda',
    inFile: 'Registros en el archivo',
    open: 'Abrir la búsqueda',
    note: 'El enlace sirve para los miembros del grupo de trabajo. Si no desea estos correos, pida al remitente que le quite de la lista.',
  },
} as const satisfies Record<Language, unknown>;
