import type { WebhookTemplate } from '@albedo/contract/notifications/notifications.schema';
import { PRODUCT_NAME } from '@albedo/contract/product';
import type { Told } from './told.ts';

/** What is told of one incident. */
export interface IncidentMessage {
  what: 'firing' | 'resolved' | 'acknowledged';
  isEscalated: boolean;
  told: Told;
}

/** What one message says, before it is put into the words of a service. */
export type Message =
  | IncidentMessage
  | { what: 'digest'; lines: DigestLine[]; count: number }
  | { what: 'test' };

/** One alert within a digest. */
export interface DigestLine {
  name: string;
  severity: string;
  rank: number;
  firing: number;
  resolved: number;
  /** The first few of what it is about. */
  subjects: string[];
}

/** Where a message comes from and where it leads. */
export interface Place {
  workgroup: string;
  publicUrl: string;
  /** Epoch ms. */
  at: number;
  token: string | null;
  phones: readonly string[];
}

const WORDS = { firing: 'Firing', resolved: 'Resolved', acknowledged: 'Acknowledged' };

/** Mails, messages and push lead here; acknowledging takes one more press there, since scanners follow links. */
export const linkOf = ({ publicUrl }: Pick<Place, 'publicUrl'>, incident: string | null): string =>
  incident === null ? `${publicUrl}/alerts` : `${publicUrl}/alerts?incident=${incident}`;

/** One line that says it all; device names may hold anything but line breaks by then. */
export function summaryOf(message: Message): string {
  if (message.what === 'test') return `This is a test of ${PRODUCT_NAME}.`;
  if (message.what === 'digest')
    return `${message.count} incidents: ${message.lines.map(lineText).join('; ')}`;
  const { told, what, isEscalated } = message;
  const prefix = isEscalated ? 'Not acknowledged yet: ' : '';
  return oneLine(`${prefix}${WORDS[what]} (${told.severity.name}): ${told.name}, ${told.subject}`);
}

export const lineText = ({ name, severity, firing, resolved, subjects }: DigestLine): string => {
  const over = resolved > 0 ? `, ${resolved} over` : '';
  const more = firing + resolved > subjects.length ? ', …' : '';
  return oneLine(`${name} (${severity}) ${firing + resolved}${over}: ${subjects.join(', ')}${more}`);
};

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

/** Lines below the summary for people. */
function detailsOf(message: Message): [string, string][] {
  if (message.what === 'test') return [];
  if (message.what === 'digest') return message.lines.map((line) => [line.name, lineText(line)]);
  const { told } = message;
  const { value, limit, units, field } = told.reading;
  const facts: [string, string | null][] = [
    ['Device', told.deviceName],
    ['Since', new Date(told.since).toISOString()],
    [field ?? 'Value', value === null ? null : `${value}${units ? ` ${units}` : ''} (limit ${limit ?? '–'})`],
    ['Energy at risk', told.energy && `${(told.energy.energyWh / 1000).toFixed(1)} kWh`],
    ['Cause', told.cause],
    ['What to do', told.response],
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
}

/** The body of a webhook. Names of devices are values of JSON, and never markup of the service. */
export function bodyOf(template: WebhookTemplate, message: Message, place: Place): unknown {
  return TEMPLATES[template](message, place);
}

const incidentIn = (message: Message): string | null => ('told' in message ? message.told.incident : null);

const TEMPLATES: Record<WebhookTemplate, (message: Message, place: Place) => unknown> = {
  json: (message, place) => ({
    type: 'told' in message ? `incident.${message.what}` : message.what,
    timestamp: new Date(place.at).toISOString(),
    data: {
      workgroup: place.workgroup,
      summary: summaryOf(message),
      link: linkOf(place, incidentIn(message)),
      ...('told' in message ? { escalated: message.isEscalated, incident: message.told } : {}),
      ...(message.what === 'digest' ? { count: message.count, lines: message.lines } : {}),
    },
  }),

  // Source: Alertmanager, "webhook_config", version 4 of its payload.
  alertmanager: (message, place) => {
    const told = 'told' in message ? message.told : null;
    const status = message.what === 'resolved' ? 'resolved' : 'firing';
    const labels = {
      alertname: told?.name ?? (message.what === 'test' ? 'Test' : 'Digest'),
      severity: told?.severity.id ?? 'none',
      workgroup: place.workgroup,
      subject: told?.subject ?? '',
      device: told?.deviceName ?? '',
    };
    const annotations = {
      summary: summaryOf(message),
      description: told?.response ?? '',
      cause: told?.cause ?? '',
    };
    const endsAt = told?.clearedAt ?? told?.closedAt ?? null;
    return {
      version: '4',
      groupKey: `{}:{incident="${told?.incident ?? message.what}"}`,
      truncatedAlerts: 0,
      status,
      receiver: place.workgroup,
      groupLabels: { alertname: labels.alertname },
      commonLabels: labels,
      commonAnnotations: annotations,
      externalURL: place.publicUrl,
      alerts: [
        {
          status,
          labels,
          annotations,
          startsAt: new Date(told?.since ?? place.at).toISOString(),
          endsAt: endsAt === null ? '0001-01-01T00:00:00Z' : new Date(endsAt).toISOString(),
          generatorURL: linkOf(place, incidentIn(message)),
          fingerprint: (told?.incident ?? '').replaceAll('-', '').slice(0, 16),
        },
      ],
    };
  },

  // Source: PagerDuty, Events API v2.
  pagerduty: (message, place) => {
    const told = 'told' in message ? message.told : null;
    const actions = { firing: 'trigger', resolved: 'resolve', acknowledged: 'acknowledge' } as const;
    const link = linkOf(place, incidentIn(message));
    return {
      routing_key: place.token ?? '',
      event_action: 'told' in message ? actions[message.what] : 'trigger',
      dedup_key: told?.incident ?? `${place.workgroup}-${message.what}`,
      client: PRODUCT_NAME,
      client_url: link,
      payload: {
        summary: summaryOf(message).slice(0, 1024),
        source: told?.deviceName ?? told?.subject ?? place.workgroup,
        severity: (['critical', 'error', 'warning'] as const)[told?.severity.rank ?? 3] ?? 'info',
        timestamp: new Date(told?.since ?? place.at).toISOString(),
        component: told?.subject ?? '',
        group: place.workgroup,
        class: told?.kind ?? message.what,
        custom_details: Object.fromEntries(detailsOf(message)),
      },
      links: [{ href: link, text: 'Open the incident' }],
    };
  },

  // Plain text blocks only: nothing that a device calls itself becomes a link or a mention.
  slack: (message, place) => ({
    text: forSlack(summaryOf(message)),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(summaryOf(message), 150), emoji: false } },
      ...detailsOf(message).map(([name, value]) => ({
        type: 'section',
        text: { type: 'plain_text', text: cut(`${name}: ${value}`, 3000), emoji: false },
      })),
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            text: { type: 'plain_text', text: 'Open' },
            url: linkOf(place, incidentIn(message)),
          },
        ],
      },
    ].slice(0, 50),
  }),

  // Runs of text, which know no Markdown, unlike text blocks.
  teams: (message, place) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [[null, summaryOf(message)] as const, ...detailsOf(message)].map(([name, value]) => ({
            type: 'RichTextBlock',
            inlines: [
              ...(name === null ? [] : [{ type: 'TextRun', text: `${name}: `, weight: 'Bolder' }]),
              { type: 'TextRun', text: value, ...(name === null ? { size: 'Large', weight: 'Bolder' } : {}) },
            ],
          })),
          actions: [{ type: 'Action.OpenUrl', title: 'Open', url: linkOf(place, incidentIn(message)) }],
        },
      },
    ],
  }),

  sms: (message, place) => {
    const link = linkOf(place, incidentIn(message));
    return { to: place.phones, text: `${cut(summaryOf(message), 300 - link.length)} ${link}` };
  },
};

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;

/** Source: Slack, "Formatting text": only these three begin markup that cannot be turned off. */
const forSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
