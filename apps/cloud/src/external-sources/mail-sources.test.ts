import { afterAll, beforeAll, expect, test } from 'vitest';
import { SOURCES, SourceCloud } from '../testing/source-cloud.ts';
import { ImapTestServer } from './imap-server.test-kit.ts';

const server = new ImapTestServer();
let cloud: SourceCloud;

beforeAll(async () => {
  await server.start();
  cloud = await SourceCloud.start();
});
afterAll(async () => {
  await cloud.stop();
  await server.stop();
});

const inbox = (name: string, change: object = {}, mailbox: object = {}) => ({
  name,
  kind: 'mail',
  format: 'xml',
  recordsPath: 'readings.reading',
  secret: server.password,
  mailbox: { address: server.address, user: server.user, files: '*.xml', from: '@grid.example', ...mailbox },
  mapping: {
    table: 'readings',
    source: 'meter',
    sourceColumn: '@meter',
    timeColumn: '@at',
    fields: [{ column: 'kwh', name: 'Energy', units: 'kWh' }],
  },
  ...change,
});
const reading = (meter: string, at: string, kwh: string) =>
  `<reading meter="${meter}" at="${at}"><kwh>${kwh}</kwh></reading>`;
const readings = (...all: string[]) => `<?xml version="1.0"?><readings>${all.join('')}</readings>`;

test('what is attached to mails of the sender is read once, and the mailbox stays as it is', async () => {
  const mail = { from: 'Meters <meters@grid.example>', subject: 'Readings', id: 'a@grid.example' };
  const june = reading('4711', '2026-06-01T10:00:00Z', '12.5');
  server.deliver(mail, ['june.xml', readings(june)], ['logo.png', 'no XML']);
  server.deliver({ ...mail, from: 'Somebody <x@evil.example>', id: 'b' }, ['more.xml', readings(june)]);
  const tried = await cloud.ask('POST', `${SOURCES}/preview`, inbox('Tried'));
  expect(tried.status, JSON.stringify(tried.body)).toBe(200);
  expect(tried.body).toMatchObject({
    file: 'june.xml',
    files: [{ name: 'june.xml' }],
    columns: ['kwh', '@meter', '@at'],
    sample: [{ source: '4711', at: Date.UTC(2026, 5, 1, 10), values: { Energy: 12.5 } }],
    faults: [],
  });

  const { body: made, status } = await cloud.ask('POST', SOURCES, inbox('Readings'));
  expect(status, JSON.stringify(made)).toBe(200);
  expect((await cloud.run(made._id)).lastEvents).toBe(1);
  expect((await cloud.run(made._id)).lastEvents).toBe(0);
  const july = [june, reading('4711', '2026-07-01T10:00:00Z', '99'), reading('4712', 'soon', '1')];
  server.deliver({ ...mail, id: 'c@grid.example' }, ['july.xml', readings(...july)]);
  const ran = await cloud.run(made._id);
  expect(ran).toMatchObject({ lastEvents: 1, lastError: '1 of 3: time soon' });
  const list = await cloud.runs(made._id);
  expect(list[0]).toMatchObject({
    ...{ records: 3, stored: 1, refused: 1, isFailed: false },
    files: [{ name: 'july.xml', records: 3, stored: 1, refused: 1, error: null }],
    faults: [{ record: 3, reason: 'time', text: 'soon' }],
  });

  // The numbers of the mailbox begin anew: what was read is known by its name and by what is in it.
  server.validity += 1;
  expect((await cloud.run(made._id)).lastEvents).toBe(0);
  expect(server.asked.filter((line) => /^(UID )?(STORE|COPY|MOVE|EXPUNGE|SELECT)/.test(line))).toEqual([]);
  expect(JSON.stringify(await cloud.audit())).not.toContain(server.password);
});

test('a wrong password, a folder that is not there and a file that attacks say so', async () => {
  const look = async (change: object, mailbox: object = {}) =>
    (await cloud.ask('POST', `${SOURCES}/preview`, inbox('Tried', change, mailbox))).body.message;
  expect(await look({ secret: 'wrong' })).toContain('does not let this user in with that password');
  expect(await look({}, { folder: 'Nowhere' })).toContain('there is no folder Nowhere');
  const mail = { from: 'x@grid.example', subject: 'Bomb', id: 'bomb' };
  const bomb = '<!DOCTYPE a [<!ENTITY b "lol"><!ENTITY c "&b;&b;&b;">]><readings>&c;</readings>';
  server.deliver(mail, ['bomb.xml', bomb]);
  expect(await look({}, { subject: 'Bomb' })).toContain('bomb.xml: XML with a document type');
  const polluted = '<readings><__proto__><kwh>1</kwh></__proto__></readings>';
  server.deliver({ ...mail, subject: 'Proto' }, ['proto.xml', polluted]);
  expect(await look({}, { subject: 'Proto' })).toContain('proto.xml: This is not valid XML');
});

test.each([
  ['imaps://10.1.2.3', 'not a public address'],
  ['imaps://169.254.169.254', 'not a public address'],
  ['imap://192.168.1.1', 'not a public address'],
])('%s is not read', async (address, why) => {
  const tried = await cloud.ask('POST', `${SOURCES}/preview`, inbox('Tried', {}, { address }));
  expect(tried).toMatchObject({ status: 422, body: { error: 'external_source.unreachable' } });
  expect(tried.body.message).toContain(why);
});

test('a lookup table is refreshed from a mailbox, in all its languages', async () => {
  const table = (
    await cloud.ask('POST', 'lookupTables/main', {
      code: 'states',
      name: 'States',
      fields: [{ code: 'en', name: 'English' }],
      values: [
        { value: '1', field: 'Status', fields: { en: 'Running' } },
        { value: '2', field: 'Status', fields: { en: 'Old' } },
      ],
    })
  ).body;
  const csv = (fault: string) =>
    `code;text_en;text_de\n1;Running;In Betrieb\n3;${fault};Störung\n;No;Nein\n1;Twice;Doppelt\n`;
  const mail = { from: 'x@grid.example', subject: 'States', id: 'states' };
  server.deliver(mail, ['states.csv', csv('Fault')]);
  const source = inbox(
    'States',
    {
      format: 'csv',
      mapping: null,
      lookup: {
        table: table._id,
        valueColumn: 'code',
        field: 'Status',
        texts: [
          { column: 'text_en', code: 'en' },
          { column: 'text_de', code: 'de' },
        ],
      },
    },
    { subject: 'States', files: '*.csv' },
  );
  const tried = (await cloud.ask('POST', `${SOURCES}/preview`, source)).body;
  expect(tried).toMatchObject({
    lookup: { values: 2, added: 1, changed: 1, removed: 1 },
    faults: [
      { record: 4, reason: 'value' },
      { record: 5, reason: 'twice', text: '1' },
    ],
  });
  const now = async () =>
    (
      (await cloud.ask('GET', 'lookupTables/main')).body as {
        _id: string;
        values: unknown;
        fields: unknown;
      }[]
    ).find(({ _id }) => _id === table._id);
  expect(await now()).toMatchObject({ values: table.values });
  const { body: made, status } = await cloud.ask('POST', SOURCES, source);
  expect(status, JSON.stringify(made)).toBe(200);
  expect(made).toMatchObject({ device: null, mapping: null });
  expect((await cloud.run(made._id)).lastEvents).toBe(3);
  expect(await now()).toMatchObject({
    fields: [
      { code: 'en', name: 'English' },
      { code: 'de', name: 'de' },
    ],
    values: [
      { value: '1', field: 'Status', fields: { en: 'Running', de: 'In Betrieb' } },
      { value: '3', field: 'Status', fields: { en: 'Fault', de: 'Störung' } },
    ],
  });
  // A file without one value leaves it as it is.
  server.deliver({ ...mail, id: 'empty' }, ['states.csv', 'code;text_en;text_de\n;a;b\n']);
  const failed = await cloud.run(made._id);
  expect(failed.lastError).toContain('the lookup table was left as it is');
  expect((await now())?.values).toHaveLength(2);
  // Nor one that lacks a column, or in which most records have no code.
  server.deliver({ ...mail, id: 'renamed' }, ['states.csv', 'code;text_en;deutsch\n1;Running;Ein\n']);
  expect((await cloud.run(made._id)).lastError).toContain('There is no column text_de');
  server.deliver({ ...mail, id: 'poor' }, ['states.csv', 'code;text_en;text_de\n1;a;b\n;a;b\n;a;b\n']);
  expect((await cloud.run(made._id)).lastError).toContain('2 of 3 records have no value');
  expect((await now())?.values).toHaveLength(2);
  const entries = (await cloud.audit()).filter(({ action }) => action === 'update');
  expect(entries[0]).toMatchObject({
    controller: 'lookup-table',
    new_value: expect.stringContaining('"from":"States"'),
  });

  await cloud.ask('DELETE', `lookupTables/main/${table._id}`);
  server.deliver({ ...mail, id: 'later' }, ['states.csv', csv('Error')]);
  expect((await cloud.run(made._id)).lastError).toContain('The lookup table was deleted');
});
