import type { Language } from '@albedo/contract/settings/settings.schema';
import type { Mail } from '../mail/mail.service.ts';
import type { FailurePage } from '../outbound/failure-mails.ts';
import { type DigestLine, type IncidentMessage, linkOf, type Message } from './templates.ts';
import type { Told } from './told.ts';

/** Who reads it, and where links lead. */
export interface Reader {
  to: string;
  language: Language;
  zone: string;
  /** Display name of the workgroup. */
  workgroup: string;
  publicUrl: string;
}

/** The mail about one incident. Its link opens a screen, on which acknowledging is one more press. */
export function incidentMail(message: IncidentMessage, reader: Reader): Mail {
  const { told, what, isEscalated } = message;
  const { language, publicUrl, to } = reader;
  const words = WORDS[language];
  const state = isEscalated ? words.escalated : words[what];
  const hint = told.response || words.noResponse;
  return {
    to,
    language,
    subject: `${state} [${told.severity.name}] ${told.name}: ${told.subject}`,
    paragraphs: [
      words.intro[what](told.name, told.subject, reader.workgroup),
      ...(what === 'firing' ? [`${words.response}: ${hint}`] : []),
      ...(what === 'firing' && told.consequence ? [`${words.consequence}: ${told.consequence}`] : []),
    ],
    facts: factsOf(told, reader),
    action: { text: words.open, url: linkOf({ publicUrl }, told.incident) },
    note: words.note,
  };
}

/** Several incidents in one mail: those of a flood, of quiet hours, or of a day. */
export function digestMail(lines: readonly DigestLine[], count: number, reader: Reader): Mail {
  const words = WORDS[reader.language];
  return {
    to: reader.to,
    language: reader.language,
    subject: words.digestSubject(count, reader.workgroup),
    paragraphs: [words.digestIntro],
    facts: lines.map((line) => [`${line.name} [${line.severity}]`, words.digestLine(line)]),
    action: { text: words.openAll, url: linkOf({ publicUrl: reader.publicUrl }, null) },
    note: words.note,
  };
}

/** How mails about a failing channel name it, and where they lead. */
export const CHANNELS_PAGE: FailurePage = {
  path: '/admin/workgroup/notifications',
  words: {
    en: { thing: 'The channel', open: 'Open the channels' },
    de: { thing: 'Der Kanal', open: 'Kanäle öffnen' },
    es: { thing: 'El canal', open: 'Abrir los canales' },
  },
};

export function testMail(reader: Reader): Mail {
  const words = WORDS[reader.language];
  const { to, language } = reader;
  return { to, language, subject: words.test(reader.workgroup), paragraphs: [words.test(reader.workgroup)] };
}

/** What a notice of a browser says. */
export function pushText(
  message: Message,
  language: Language,
): { title: string; body: string; incident: string | null } {
  const words = WORDS[language];
  if (message.what === 'test') return { title: words.pushTest, body: words.pushTestBody, incident: null };
  if (message.what === 'digest')
    return {
      title: words.digestTitle(message.count),
      body: message.lines
        .map((line) => `${line.name}: ${words.digestLine(line)}`)
        .join('\n')
        .slice(0, 400),
      incident: null,
    };
  const { told, what, isEscalated } = message;
  return {
    title: `${isEscalated ? words.escalated : words[what]} [${told.severity.name}] ${told.name}`.slice(
      0,
      120,
    ),
    body: `${told.subject}${what === 'firing' && told.response ? `\n${told.response}` : ''}`.slice(0, 400),
    incident: told.incident,
  };
}

function factsOf(told: Told, { language, zone }: Reader): [string, string][] {
  const words = WORDS[language];
  const time = (at: number) =>
    new Intl.DateTimeFormat(language, { timeZone: zone, dateStyle: 'medium', timeStyle: 'long' }).format(at);
  const number = (value: number, digits = 1) =>
    new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
  const { value, limit, units, field } = told.reading;
  const shown = (one: number | string | null) =>
    one === null ? '–' : `${typeof one === 'number' ? number(one, 3) : one}${units ? ` ${units}` : ''}`;
  const money = told.energy?.money;
  const cost = money ? ` (${number(money.value, 2)} ${money.currency})` : '';
  const facts: [string, string | null][] = [
    [words.device, told.deviceName],
    [words.since, time(told.since)],
    [words.until, told.clearedAt === null ? null : time(told.clearedAt)],
    [field ?? words.value, value === null ? null : words.reading(shown(value), shown(limit))],
    [words.energy, told.energy && `${number(told.energy.energyWh / 1000)} kWh${cost}`],
    [words.cause, told.cause || null],
    [words.count, told.count > 1 ? number(told.count, 0) : null],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

const listed = ({ subjects, firing, resolved }: DigestLine): string =>
  `${subjects.join(', ')}${firing + resolved > subjects.length ? ', …' : ''}`;

const WORDS = {
  en: {
    firing: 'Alert',
    resolved: 'Over',
    acknowledged: 'Acknowledged',
    escalated: 'Not acknowledged yet',
    intro: {
      firing: (name: string, subject: string, workgroup: string) => `${name}: ${subject} (${workgroup}).`,
      resolved: (name: string, subject: string, workgroup: string) =>
        `It is over: ${name}, ${subject} (${workgroup}).`,
      acknowledged: (name: string, subject: string, workgroup: string) =>
        `Somebody takes care of it: ${name}, ${subject} (${workgroup}).`,
    },
    response: 'What to do',
    noResponse: 'open the incident and look at its signal and its timeline.',
    consequence: 'If nothing is done',
    cause: 'Likely cause',
    device: 'Device',
    since: 'Since',
    until: 'Until',
    value: 'Value',
    reading: (value: string, limit: string) => `${value} (limit ${limit})`,
    energy: 'Energy at risk',
    count: 'Came and went',
    open: 'Open the incident',
    openAll: 'Open the alerts',
    note: 'Opening the link changes nothing: you acknowledge the incident there.',
    digestSubject: (count: number, workgroup: string) => `${count} incidents in ${workgroup}`,
    digestTitle: (count: number) => `${count} incidents`,
    digestIntro: 'These incidents come in one message, by alert.',
    digestLine: (line: DigestLine) =>
      `${line.firing + line.resolved}${line.resolved > 0 ? ` (${line.resolved} over)` : ''}: ${listed(line)}`,
    test: (workgroup: string) => `Test of the notifications of ${workgroup}`,
    pushTest: 'Test',
    pushTestBody: 'Push messages reach this browser.',
  },
  de: {
    firing: 'Alarm',
    resolved: 'Vorbei',
    acknowledged: 'Quittiert',
    escalated: 'Noch nicht quittiert',
    intro: {
      firing: (name: string, subject: string, workgroup: string) => `${name}: ${subject} (${workgroup}).`,
      resolved: (name: string, subject: string, workgroup: string) =>
        `Es ist vorbei: ${name}, ${subject} (${workgroup}).`,
      acknowledged: (name: string, subject: string, workgroup: string) =>
        `Jemand kümmert sich darum: ${name}, ${subject} (${workgroup}).`,
    },
    response: 'Was zu tun ist',
    noResponse: 'Öffnen Sie den Vorfall und sehen Sie sich Signal und Verlauf an.',
    consequence: 'Wenn nichts geschieht',
    cause: 'Wahrscheinliche Ursache',
    device: 'Gerät',
    since: 'Seit',
    until: 'Bis',
    value: 'Wert',
    reading: (value: string, limit: string) => `${value} (Grenze ${limit})`,
    energy: 'Energie in Gefahr',
    count: 'Kam und ging',
    open: 'Vorfall öffnen',
    openAll: 'Alarme öffnen',
    note: 'Der Link allein ändert nichts: Sie quittieren den Vorfall auf der Seite.',
    digestSubject: (count: number, workgroup: string) => `${count} Vorfälle in ${workgroup}`,
    digestTitle: (count: number) => `${count} Vorfälle`,
    digestIntro: 'Diese Vorfälle kommen in einer Nachricht, nach Alarm geordnet.',
    digestLine: (line: DigestLine) =>
      `${line.firing + line.resolved}${line.resolved > 0 ? ` (${line.resolved} vorbei)` : ''}: ${listed(line)}`,
    test: (workgroup: string) => `Test der Benachrichtigungen von ${workgroup}`,
    pushTest: 'Test',
    pushTestBody: 'Push-Nachrichten erreichen diesen Browser.',
  },
  es: {
    firing: 'Alarma',
    resolved: 'Terminada',
    acknowledged: 'Reconocida',
    escalated: 'Aún sin reconocer',
    intro: {
      firing: (name: string, subject: string, workgroup: string) => `${name}: ${subject} (${workgroup}).`,
      resolved: (name: string, subject: string, workgroup: string) =>
        `Ha terminado: ${name}, ${subject} (${workgroup}).`,
      acknowledged: (name: string, subject: string, workgroup: string) =>
        `Alguien se ocupa de ello: ${name}, ${subject} (${workgroup}).`,
    },
    response: 'Qué hacer',
    noResponse: 'abra el incidente y mire su señal y su cronología.',
    consequence: 'Si no se hace nada',
    cause: 'Causa probable',
    device: 'Dispositivo',
    since: 'Desde',
    until: 'Hasta',
    value: 'Valor',
    reading: (value: string, limit: string) => `${value} (límite ${limit})`,
    energy: 'Energía en riesgo',
    count: 'Veces',
    open: 'Abrir el incidente',
    openAll: 'Abrir las alarmas',
    note: 'Abrir el enlace no cambia nada: el incidente se reconoce en la página.',
    digestSubject: (count: number, workgroup: string) => `${count} incidentes en ${workgroup}`,
    digestTitle: (count: number) => `${count} incidentes`,
    digestIntro: 'Estos incidentes llegan en un solo mensaje, por alarma.',
    digestLine: (line: DigestLine) =>
      `${line.firing + line.resolved}${line.resolved > 0 ? ` (${line.resolved} terminados)` : ''}: ${listed(line)}`,
    test: (workgroup: string) => `Prueba de las notificaciones de ${workgroup}`,
    pushTest: 'Prueba',
    pushTestBody: 'Los mensajes push llegan a este navegador.',
  },
};
