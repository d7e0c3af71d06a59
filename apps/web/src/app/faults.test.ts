import { newAccessRule } from '@albedo/contract/access-control/access-control.schema';
import { accountsApi } from '@albedo/contract/accounts/accounts.api';
import { announcementDraft } from '@albedo/contract/announcements/announcements.schema';
import { deviceName } from '@albedo/contract/devices/devices.schema';
import { newInvite } from '@albedo/contract/members/members.schema';
import { addonId } from '@albedo/contract/workgroups/addons.schema';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { texts as de } from '../locales/de.errors.ts';
import { texts as es } from '../locales/es.errors.ts';
import { readTexts } from '../locales/test-texts.ts';
import { call } from './call.ts';
import { checked, faultsOf } from './faults.ts';
import { chooseLanguage, failureInWords, loadAllTexts } from './i18n.ts';
import { fakeNetwork, signInAs } from './test-screen.tsx';

type Words = Record<'permission' | 'roles' | 'actions' | 'resources', Record<string, string>>;
const textsIn = (language: string, name: string) => readTexts(language).get(name) as Words;
const RULE = {
  resourceType: 'DeviceCommand',
  resourceId: 'all',
  actions: ['run'],
  principalType: 'Workgroup_Users',
  principalId: '-',
  effect: 'Allow',
};
const draft = { title: '', bodyMarkdown: 'a', startDate: '', endDate: '2026-11-21T00:00:00Z' };
const refused = {
  code: 400,
  message: 'Not accepted: name in the body: Name is required; company in the body: At most 200 characters.',
  error: 'request.invalid',
  facts: { what: 'Not accepted: …' },
  issues: [
    { path: 'name', message: 'Name is required', issue: 'issue.name_required', facts: {} },
    { path: 'company', message: 'At most 200 characters.', issue: 'issue.too_long', facts: { max: '200' } },
    { path: 'labels.3', message: 'Quite particular' },
  ],
};
const save = () => call(accountsApi.updateProfile, { body: { name: '' } });

beforeEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'XSRF-TOKEN=one';
  signInAs();
  fakeNetwork(() => ({ status: 400, body: refused }));
});
afterEach(() => chooseLanguage('en'));

test('in English a form says what the schema says, and a refusal what the server says', async () => {
  expect(faultsOf(announcementDraft.safeParse(draft).error)).toEqual({
    title: 'Required',
    startDate: 'Enter a date with a time, such as 2026-11-21T14:00:00Z.',
  });
  await expect(save()).rejects.toThrow(refused.message);
});

describe.each([
  ['de', de, textsIn('de', 'members'), textsIn('de', 'accessControl')],
  ['es', es, textsIn('es', 'members'), textsIn('es', 'accessControl')],
] as const)('in %s', (language, { errors }, members, accessControl) => {
  const words = (name: string) => errors.issue?.[name] ?? '';
  const fields = errors.field ?? {};
  beforeEach(async () => {
    await loadAllTexts();
    await chooseLanguage(language);
  });

  test('a form says in that language what a schema finds wrong', () => {
    expect(i18next.language).toBe(language);
    expect(faultsOf(announcementDraft.safeParse(draft).error)).toEqual({
      title: words('required'),
      startDate: words('date'),
    });
    const sentences = [
      [newInvite, { email: '' }, words('email_required')],
      [newInvite, { email: 'nobody' }, words('email')],
      [deviceName, 'a'.repeat(81), words('too_long').replace('{{max}}', '80')],
    ] as const;
    for (const [schema, value, sentence] of sentences) expect(() => checked(schema, value)).toThrow(sentence);
  });

  test('a rule that does not fit, and an address without one, are reported in that language too', () => {
    const rule = { ...RULE, actions: ['edit'] };
    const facts = { type: 'DeviceCommand', action: 'edit', actions: 'read, run, manage' };
    const sentence = Object.entries(facts).reduce(
      (text, [fact, value]) => text.replace(`{{${fact}}}`, value),
      words('action_of'),
    );
    expect(() => checked(newAccessRule, rule)).toThrow(sentence);
    expect(() => checked(addonId, 'flying')).toThrow(words('choice').split('{{')[0]);
  });

  test('words of ours in the sentence of a failure are said in that language', async () => {
    const missing = {
      message: 'x',
      error: 'member.more_than_own',
      facts: { missing: 'manageAccess, the role admin' },
    };
    const said = await failureInWords(missing);
    expect(said).toContain(`${members.permission.manageAccess}, ${members.roles.admin}`);
    const facts = { action: 'run', resource: 'device commands' };
    const denied = await failureInWords({ message: 'x', error: 'access.denied', facts });
    expect(denied).toContain(accessControl.actions.run);
    expect(denied).toContain(accessControl.resources.DeviceCommand);
  });

  test('what the server refuses is shown with the names of the fields', async () => {
    const long = words('too_long').replace('{{max}}', '200');
    await expect(save()).rejects.toThrow(
      `${fields.name}: ${words('name_required')}; ${fields.company}: ${long}; ${fields.labels}: Quite particular`,
    );
  });
});
