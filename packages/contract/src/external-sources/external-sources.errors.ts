import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const externalSourcesErrors = {
  'external_source.not_found': { status: 404, text: 'This external source no longer exists.' },
  'external_source.name_taken': {
    status: 409,
    text: 'Another external source in this workgroup is already called {name}.',
  },
  'external_source.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} external sources. Delete one first.',
  },
  'external_source.unreachable': { status: 422, text: 'The source could not be read: {why}' },
  'external_source.busy': {
    status: 429,
    text: 'This workgroup has read from outside {count} times in the last hour. Try again later.',
  },
  'external_source.push_too_large': {
    status: 413,
    text: 'A push has up to {most} records, and this one has {count}. Nothing of it was stored: send it in parts.',
  },
  'external_source.token_invalid': { status: 404, text: 'This token opens no external source here.' },
} as const satisfies ErrorCatalog;

export const externalSourcesIssues = {
  'issue.address_https': 'Enter an address such as https://example.org/data.',
  'issue.header_name': 'A header has only letters, digits and -.',
  'issue.broker_address': 'Enter an address such as mqtts://broker.example.org:8883.',
  'issue.sftp_address':
    'Enter an address such as sftp://files.example.org, or sftp://files.example.org:2222.',
  'issue.mailbox_address': 'Enter an address such as imaps://imap.example.org.',
  'issue.host_key': 'Enter a key such as SHA256:… with 43 signs, as ssh-keygen -l shows it.',
  'issue.lookup_broker': 'A lookup table cannot be refreshed from a broker.',
  'issue.topic_filter': 'Enter a topic such as plant/+/power or plant/#.',
  'issue.topic_sparkplug': 'Topics of Sparkplug B begin with spBv1.0/.',
  'issue.ca_pem': 'Paste a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----.',
  'issue.secret_again': 'Enter the secret again: it is not sent to another address.',
} as const satisfies IssueCatalog;
