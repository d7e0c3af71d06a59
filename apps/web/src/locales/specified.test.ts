import { SEVERITIES } from '@albedo/contract/alerts/severities';
import { errorCatalog } from '@albedo/contract/failures/errors';
import { issueCatalog } from '@albedo/contract/failures/issues';
import i18next from 'i18next';
import { describe, expect, test } from 'vitest';
import open from './en/public.json' with { type: 'json' };
import { texts as first } from './en.first.ts';
import { texts as rest } from './en.ts';

/** English texts that the specification prescribes word for word, by the area it gives them in. */
const SPECIFIED = {
  'who belongs to no workgroup': {
    'login.noWorkgroup': "You don't have access to any workgroups, please contact an admin or support",
  },
  'the login card': {
    'login.continue': 'Continue',
    'login.sso': 'Continue with SAML SSO',
    'login.forgot': 'Forgot password',
    'login.recover': 'Use recovery code',
    'login.backToCode': 'Back to 2FA code',
    'login.forgotDone': 'An email has been sent to {{email}} with further instructions.',
    'login.ssoError': 'SAML login error',
  },
  'the way out': {
    'logout.title': 'Logout Successful',
    'logout.text': 'You are now logged out',
    'logout.again': 'Log back in',
  },
  'the password reset': {
    'reset.submit': 'Reset password',
    'reset.failed': 'Error: could not reset password.',
    'password.required': 'Password is required',
    'password.tooShort': 'Password must contain at least 8 characters',
    'password.mismatch': 'Passwords must match',
    'password.lengths.error': 'minimum 8 characters required',
    'password.lengths.warning': '12 characters or greater is recommended',
    'password.lengths.good': 'secure',
    'password.complexities.good': 'good',
  },
  'the multi-factor wizard': {
    'mfa.steps.information': 'Information',
    'mfa.steps.create': 'Create QR code',
    'mfa.steps.scan': 'Scan code',
    'mfa.steps.enter': 'Enter code',
    'mfa.steps.recovery': 'Recovery',
    'mfa.steps.secured': 'Secured',
    'mfa.next': 'Next',
    'mfa.exit': 'Exit',
    'mfa.done': 'Done',
    'mfa.confirm': 'Confirm',
    'mfa.expired': 'Session expired.  Please enter your password again.',
    'profile.generate': 'Generate',
    'actions.back': 'Back',
  },
  'the session': {
    'session.expiresSoon': 'Session will expire soon.',
    'session.loggedOut': 'Logged out..',
  },
  'the top bar and the menus': {
    'announcements.viewAll': 'View all',
    'shell.myProfile': 'My Profile',
    'shell.logout': 'Logout',
    'menu.documentation': 'Documentation',
    'menu.help': 'Help',
    'menu.devices': 'Devices',
    'menu.dashboards': 'Dashboards',
    'menu.analysis': 'Analysis',
    'menu.searches': 'Searches',
    'menu.alerts': 'Alerts',
    'menu.photos': 'Photos',
    'menu.report': 'Report',
    'menu.controls': 'Controls',
    'menu.admin': 'Admin',
    'menu.workgroup': 'Workgroup',
    'menu.entities': 'Entities',
    'menu.access': 'Access',
    'menu.reports': 'Reports',
    'menu.data': 'Data',
    'menu.announcements': 'Announcements',
    'menu.profile': 'Profile',
    'menu.opsTeam': 'Ops team',
    'menu.logout': 'Logout',
  },
  'the global search': {
    'search.devices': 'Devices',
    'search.pages': 'Pages',
    'search.nothing': 'no results found',
  },
  'the announcements': {
    'announcements.next': 'Next',
    'announcements.done': 'Done',
  },
  'the support ticket': {
    'support.created': 'Your ticket has been created',
    'support.ref': 'Ref #{{taskId}}',
  },
  'the workgroup request': {
    'workgroupRequests.submitted': 'Request submitted',
    'workgroupRequests.failed': 'Failed to submit request',
    'workgroupRequests.problems.taken': 'Email address already in use. Try resetting your password.',
  },
  'the update': {
    'update.title': 'Update available',
    'update.text': 'A new version of the product is available.',
    'update.how': 'Please refresh your browser to load the latest version.',
    'update.now': 'Refresh page',
    'update.later': 'Dismiss for five minutes',
    'update.short': 'Refresh',
  },
  'the confirmation': {
    'confirm.title': 'Confirmation required',
    'confirm.body': 'Are you sure?',
    'confirm.yes': "Yes, I'm sure",
    'actions.cancel': 'Cancel',
  },
  'dashboards and searches without any': {
    'boards.home': 'Home',
    'boards.configure': 'Configure Dashboards',
    'boards.none': 'No dashboards configured',
    'searches.new': 'New search',
    'searches.shared': 'Shared',
    'searches.personal': 'Personal',
  },
  'labels and logs': {
    'entities.labels': 'Labels',
    'entities.set': 'Set',
    'plugins.logs.dismiss': 'Dismiss',
  },
  'health of devices': {
    'health.cloud': 'Cloud device',
    'health.edge': 'Edge device',
    'health.good': 'Good',
    'health.moderate': 'Moderate',
    'health.poor': 'Poor',
    'health.unknown': 'unknown',
    'health.offline': 'offline',
    'health.notAvailable': 'not available',
  },
  schedules: {
    'schedules.kinds.setpoint_activepower': 'Active power',
    'schedules.kinds.setpoint_cosphi': 'Cos phi',
    'schedules.states.applied': 'Applied',
    'schedules.states.draft': 'Draft',
    'schedules.states.pending': 'Pending',
  },
  'notices about devices': {
    'cloudDevices.created': 'New device created',
    'deviceConfig.updated': 'Device Config Update',
  },
  'what is denied': { 'missing.rights.Create Dashboard': 'Create Dashboard' },
  'time zones and presets': {
    'time.selectedZone': 'Selected timezone',
    'time.asCollected': 'As collected',
    'time.none': 'None',
    'time.allTime': 'All time',
    'time.presets.last-hour': 'Last hour',
    'time.presets.last-6-hours': 'Last 6 hours',
    'time.presets.last-day': 'Last day',
    'time.presets.today': 'Today',
    'time.presets.yesterday': 'Yesterday',
    'time.presets.last-3-days': 'Last 3 days',
    'time.presets.last-5-days': 'Last 5 days',
    'time.presets.last-7-days': 'Last 7 days',
    'time.presets.last-14-days': 'Last 14 days',
    'time.presets.last-30-days': 'Last 30 days',
    'time.presets.this-week': 'This week',
    'time.presets.last-week': 'Last week',
    'time.presets.this-month': 'This month',
    'time.presets.last-month': 'Last month',
    'time.presets.last-3-months': 'Last 3 months',
    'time.presets.last-6-months': 'Last 6 months',
    'time.presets.last-12-months': 'Last 12 months',
    'time.presets.this-calendar-year': 'This calendar year',
    'time.presets.last-calendar-year': 'Last calendar year',
  },
} as const;

/** The same of what the server says: status and sentence. Section 8. */
const FAILURES = {
  'request.unauthorized': [401, 'Unauthorized'],
  'request.forbidden': [403, 'Forbidden'],
  'request.not_found': [404, 'Not found'],
  'request.conflict': [409, 'Conflict'],
  'session.use_sso': [400, 'Invalid login: Try continuing with SAML SSO'],
  'session.bad_credentials': [401, 'Invalid username and/or password'],
  'request.too_many': [429, 'Too many requests.. Please try again later'],
  'session.code_expired': [401, 'Session expired.  Please enter your password again.'],
  'mfa.code_invalid': [400, 'Invalid authenticator code'],
  'mfa.recovery_failed': [400, 'Could not recover MFA'],
  'mfa.recovery_code_failed': [400, 'Could not generate recovery code. Please enter a valid code.'],
  'sso.not_found': [404, 'SAML SSO not found'],
  'account.email_taken': [409, 'Email address already in use. Try resetting your password.'],
} as const;

/** What fields of forms are told. Section 5. */
const ISSUES = {
  'issue.required': 'Required',
  'issue.email': 'Invalid email',
  'issue.url': 'Invalid URL',
  'issue.number': 'Please input a number',
  'issue.password_required': 'Password is required',
  'issue.password_short': 'Password must contain at least 8 characters',
} as const;

const english = i18next.createInstance();
await english.init({ lng: 'en', resources: { en: { translation: open } } });
for (const texts of [first, rest]) english.addResourceBundle('en', 'translation', texts, true, false);
const written = (key: string): unknown => english.getResource('en', 'translation', key);

describe.each(Object.entries(SPECIFIED))('%s', (_area, sentences) => {
  test.each(Object.entries(sentences))('%s is %j', (key, sentence) => {
    expect(written(key)).toBe(sentence);
  });
});

test.each(Object.entries(FAILURES))('%s is %j', (name, [status, text]) => {
  expect(errorCatalog[name as keyof typeof FAILURES]).toEqual({ status, text });
});

test.each(Object.entries(ISSUES))('%s is %j', (name, sentence) => {
  expect(issueCatalog[name as keyof typeof ISSUES]).toBe(sentence);
});

test('a workgroup without severities of its own has three, the gravest first', () => {
  expect(SEVERITIES.map(({ name, color }) => `${name} ${color}`)).toEqual([
    'High red',
    'Medium orange',
    'Low yellow',
  ]);
});

test('a list of jobs without a socket says so', () => {
  expect(written('securityServices.notLive')).toContain('Socket not connected [job]');
});

test('the answer to a ticket is promised within a few hours', () => {
  expect(written('support.answer')).toContain('within a few hours');
});
