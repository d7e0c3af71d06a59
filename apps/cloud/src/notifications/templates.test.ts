import { WEBHOOK_TEMPLATES } from '@albedo/contract/notifications/notifications.schema';
import { expect, test } from 'vitest';
import { buildIncident, buildStep } from '../testing/incident-steps.ts';
import { bodyOf, type IncidentMessage } from './templates.ts';
import { toldOf } from './told.ts';

const place = {
  workgroup: 'main',
  publicUrl: 'https://albedo.example.org',
  at: Date.UTC(2026, 5, 1),
  token: 'routing-key',
  phones: ['+49301234567'],
};
/** A device that calls itself so attacks every service that takes names for markup. */
const HOSTILE = '<!channel> <https://evil.example|click> **bold** [x](https://evil.example)\r\n"}<img src=x>';
const message = (what: IncidentMessage['what'] = 'firing'): IncidentMessage => ({
  what,
  isEscalated: false,
  told: toldOf(buildStep(buildIncident({ subject: HOSTILE, deviceName: HOSTILE }))),
});
// biome-ignore lint/suspicious/noExplicitAny: bodies of all services
const body = (template: (typeof WEBHOOK_TEMPLATES)[number], of = message()): any =>
  JSON.parse(JSON.stringify(bodyOf(template, of, place)));

test('names of devices are text in every template', () => {
  const slack = body('slack');
  expect(slack.text).not.toMatch(/[<>]/);
  for (const { text } of slack.blocks.filter((block: { type: string }) => block.type !== 'actions'))
    expect(text.type).toBe('plain_text');
  const [card] = body('teams').attachments;
  for (const block of card.content.body) {
    expect(block.type).toBe('RichTextBlock');
    for (const run of block.inlines) expect(run.type).toBe('TextRun');
  }
  expect(body('sms').text).not.toMatch(/[\r\n]/);
  expect(body('pagerduty').payload.summary).not.toMatch(/[\r\n]/);
});

test('PagerDuty and Alertmanager know an incident again by one key, and when it is over', () => {
  const firing = message();
  const over = { ...message('resolved'), told: { ...firing.told, clearedAt: place.at } };
  expect(body('pagerduty', firing)).toMatchObject({
    routing_key: 'routing-key',
    event_action: 'trigger',
    dedup_key: firing.told.incident,
    payload: { severity: 'critical' },
  });
  expect(body('pagerduty', over)).toMatchObject({ event_action: 'resolve', dedup_key: firing.told.incident });
  expect(body('pagerduty', { ...firing, what: 'acknowledged' }).event_action).toBe('acknowledge');
  expect(body('alertmanager', firing)).toMatchObject({ version: '4', status: 'firing' });
  const [alert] = body('alertmanager', over).alerts;
  expect(alert).toMatchObject({ status: 'resolved', endsAt: '2026-06-01T00:00:00.000Z' });
});

test('a text message is short and ends with the link, and every template takes a digest and a test', () => {
  const { to, text } = body('sms');
  expect(to).toEqual(place.phones);
  expect(text.length).toBeLessThanOrEqual(301);
  expect(text).toMatch(/https:\/\/albedo\.example\.org\/alerts\?incident=[0-9a-f-]{36}$/);
  const line = { name: 'Offline', severity: 'High', rank: 0, firing: 3, resolved: 1, subjects: ['A', 'B'] };
  for (const template of WEBHOOK_TEMPLATES) {
    expect(JSON.stringify(bodyOf(template, { what: 'digest', lines: [line], count: 4 }, place))).toContain(
      'Offline',
    );
    expect(JSON.stringify(bodyOf(template, { what: 'test' }, place))).toContain('test');
  }
});
