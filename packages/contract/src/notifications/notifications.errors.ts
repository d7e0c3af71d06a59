import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const notificationsErrors = {
  'notify_channel.not_found': { status: 404, text: 'This channel no longer exists.' },
  'notify_channel.name_taken': {
    status: 409,
    text: 'Another channel in this workgroup is already called {name}.',
  },
  'notify_channel.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} channels. Delete one first.',
  },
  'notify_channel.in_use': {
    status: 409,
    text: 'The escalation or alert {name} uses this channel. Take it out there first.',
  },
  'notify_channel.busy': {
    status: 429,
    text: 'This workgroup has called addresses outside {count} times in the last hour. Try again later.',
  },
  'escalation.not_found': { status: 404, text: 'This escalation no longer exists.' },
  'escalation.name_taken': {
    status: 409,
    text: 'Another escalation in this workgroup is already called {name}.',
  },
  'escalation.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} escalations. Delete one first.',
  },
  'escalation.in_use': {
    status: 409,
    text: 'The alert {name} uses this escalation. Take it out there first.',
  },
  'rota.not_found': { status: 404, text: 'This rota no longer exists.' },
  'rota.name_taken': { status: 409, text: 'Another rota in this workgroup is already called {name}.' },
  'rota.too_many': { status: 409, text: 'A workgroup can have up to {count} rotas. Delete one first.' },
  'rota.in_use': { status: 409, text: 'The escalation {name} uses this rota. Take it out there first.' },
  'push.too_many': {
    status: 409,
    text: 'Push reaches up to {count} browsers of a person. Remove one first.',
  },
  'push.none': { status: 409, text: 'No browser of yours gets push messages yet.' },
} as const satisfies ErrorCatalog;

export const notificationsIssues = {
  'issue.webhook_address': 'Enter an address such as https://hooks.example.org/alarms.',
  'issue.webhook_refused': 'This address cannot be called: {why}',
  'issue.webhook_part': 'A webhook of this kind needs it.',
  'issue.notify_user': 'This person is no member of the workgroup.',
  'issue.notify_channel': 'The workgroup has no such channel.',
  'issue.notify_escalation': 'The workgroup has no such escalation.',
  'issue.notify_rota': 'The workgroup has no such rota.',
  'issue.step_empty': 'A step needs somebody: a person, a channel or a rota.',
  'issue.step_order': 'Each step comes later than the one before.',
  'issue.phone': 'Enter a phone number such as +49301234567.',
  'issue.clock': 'Enter a time of day such as 08:30.',
  'issue.same_times': 'The end must be another time than the start.',
  'issue.push_endpoint': 'This is not an address of a push service.',
} as const satisfies IssueCatalog;
