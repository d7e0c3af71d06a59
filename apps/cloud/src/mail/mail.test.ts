import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres, type Postgres } from '@albedo/postgres/postgres';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { AttemptsStore } from '../attempts/attempts.store.ts';
import { Attempts } from '../attempts/attempts.ts';
import { Bus } from '../bus/bus.ts';
import { Jobs } from '../jobs/jobs.service.ts';
import { makeSealKey, Seal } from '../secrets/sealed.ts';
import { prepareRecords } from '../testing/prepare-records.ts';
import { renderLetter } from './letter.ts';
import { MAILS_TO_ONE, Mailer } from './mail.service.ts';

const letter = {
  subject: 'Hello <you>',
  paragraphs: ['One & two.'],
  action: { text: 'Open', url: 'http://localhost/reset/secret-1' },
};

const silent = pino({ level: 'silent' });
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

let postgres: Postgres;
const records = mkdtempSync(join(tmpdir(), 'albedo-mail-'));
beforeAll(async () => {
  await prepareRecords(records);
  postgres = await openPostgres({ dataDir: join(records, 'postgres'), log: silent });
}, 60_000);
afterAll(async () => {
  await postgres?.close();
  rmSync(records, { recursive: true });
});

/** A mailer, what runs its jobs, and the lines of its log. */
async function mailer(
  smtpUrl: string | null,
): Promise<{ mailer: Mailer; jobs: Jobs; log: string[]; outboxDir: string }> {
  const log: string[] = [];
  const outboxDir = mkdtempSync(join(tmpdir(), 'albedo-outbox-'));
  const sink = { write: (line: string) => log.push(line) };
  const jobs = new Jobs({ postgres, bus: new Bus({ log: silent }), log: silent, works: true });
  await jobs.open();
  const one = new Mailer({
    jobs,
    attempts: new Attempts(new AttemptsStore(postgres)),
    seal: new Seal(makeSealKey()),
    bus: new Bus({ log: silent }),
    smtpUrl,
    outboxDir,
    from: () => 'no-reply@example.org',
    theme: () => ({}),
    log: pino({}, sink),
  });
  jobs.add(one.job);
  await jobs.work();
  stops.push(
    () => jobs.stop(),
    () => one.stop(),
    () => rmSync(outboxDir, { recursive: true }),
  );
  return { mailer: one, jobs, log, outboxDir };
}

/** An SMTP server that answers the end of a message as told; resolves to its port. */
async function smtp(answer: string): Promise<{ port: number; received: string[] }> {
  const received: string[] = [];
  const server: Server = createServer((socket) => {
    let isData = false;
    socket.write('220 here\r\n');
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const text = bytes.toString();
      received.push(text);
      if (isData) {
        if (!received.join('').includes('\r\n.\r\n')) return;
        isData = false;
        socket.write(`${answer}\r\n`);
      } else if (text.startsWith('DATA')) {
        isData = true;
        socket.write('354 go on\r\n');
      } else socket.write(text.startsWith('QUIT') ? '221 bye\r\n' : '250 ok\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => new Promise((resolve) => server.close(resolve)));
  return { port: (server.address() as AddressInfo).port, received };
}

test('a letter is text and HTML, and what stands in it is shown as it is', () => {
  const { text, html } = renderLetter(letter);
  expect(text).toContain('One & two.\n\nOpen:\nhttp://localhost/reset/secret-1');
  expect(html).toMatch(/<h1 [^>]*>Hello &lt;you&gt;<\/h1>/);
  expect(html).toContain('One &amp; two.');
  expect(html).toContain('href="http://localhost/reset/secret-1"');
});

test('a letter has the name and the colour of the host, and its button can be read', () => {
  const { text, html } = renderLetter(letter, {
    serviceName: 'Sol & Co',
    primary: '#102040',
    text: '#000000',
  });
  expect(text).toMatch(/-- \nSol & Co$/);
  expect(html).toContain('Sol &amp; Co');
  expect(html).toMatch(/background:#102040;[^"]*color:#ffffff/);
  expect(renderLetter(letter).text).toMatch(/-- \nAlbedo$/);
});

test('what somebody wrote keeps its lines and is no markup, and a link of theirs is none of ours', () => {
  const quote = 'See http://evil.example\n\n  <b>E 303</b>';
  const { text, html } = renderLetter({ ...letter, quote, facts: [['From', 'Ann <ann@example.org>']] });
  expect(text).toContain('From: Ann <ann@example.org>');
  expect(text).toContain('> See http://evil.example\n> \n>   <b>E 303</b>');
  expect(html).toContain('<br>\n<br>\n&nbsp;&nbsp;&lt;b&gt;E 303&lt;/b&gt;');
  expect(html).not.toContain('href="http://evil.example"');
});

test('without a server a mail becomes a file, and a name cannot add headers', async () => {
  const { mailer: one, outboxDir } = await mailer(null);
  one.send({ ...letter, to: 'a@example.org', subject: 'Hello\r\nBcc: b@example.org' });
  await one.idle();
  const [name = ''] = await readdir(outboxDir);
  expect(name).toMatch(/\.eml$/);
  const [head] = (await readFile(join(outboxDir, name), 'utf8')).split('\r\n\r\n');
  expect(head).toContain('To: a@example.org');
  expect(head).not.toMatch(/^Bcc:/im);
});

test('with a server a mail is handed over to it', async () => {
  const { port, received } = await smtp('250 taken');
  const { mailer: one, log } = await mailer(`smtp://127.0.0.1:${port}`);
  one.send({ ...letter, to: 'a@example.org' });
  await one.idle();
  expect(received.join('')).toMatch(/Message-ID: <[0-9a-f-]{36}@example.org>/i);
  expect(received.join('')).toMatch(/RCPT TO:<a@example.org>[\s\S]*multipart\/alternative/);
  expect(log.join('')).toContain('mail sent');
});

test('a refused mail is logged without its content, and nobody waits for it', async () => {
  const { port } = await smtp('554 refused: secret-1');
  const { mailer: one, jobs, log } = await mailer(`smtp://ann:secret-2@127.0.0.1:${port}`);
  one.send({ ...letter, to: 'a@example.org' });
  await one.idle();
  expect(log.join('')).toContain('a mail could not be sent');
  expect(log.join('')).not.toMatch(/secret-[12]/);
  // Refused for good: the staff see it, and nothing of what it says.
  const [dead] = await jobs.dead();
  expect(dead).toMatchObject({ job: 'mail', about: letter.subject, attempts: 1 });
  const rows = await postgres.query('select * from pgboss.job');
  expect(JSON.stringify(rows)).not.toMatch(/secret-[12]|a@example.org/);
});

test('a mail that finds the server away is tried again later, and is known for the same one', async () => {
  const { mailer: one, jobs, log } = await mailer('smtp://127.0.0.1:1');
  one.send({ ...letter, to: 'a@example.org' });
  await one.idle();
  expect(log.join('')).toContain('ESOCKET');
  const counts = await jobs.counts();
  expect(counts.filter(({ state }) => state === 'retry')).toEqual([
    expect.objectContaining({ name: 'mail', jobs: 1 }),
  ]);
});

test('a thousand mails of one workgroup delay the one of another by a handful', async () => {
  const recipients: string[] = [];
  const server = createServer((socket) => {
    let isData = false;
    socket.write('220 here\r\n');
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const text = bytes.toString();
      if (isData) {
        if (!text.endsWith('\r\n.\r\n')) return;
        isData = false;
      } else if (text.startsWith('RCPT')) recipients.push(/<(.*?)@/.exec(text)?.[1] ?? '');
      else if (text.startsWith('DATA')) isData = true;
      socket.write(isData ? '354 go on\r\n' : text.startsWith('QUIT') ? '221 bye\r\n' : '250 ok\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => new Promise((resolve) => server.close(resolve)));
  const { mailer: one } = await mailer(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await postgres.db.transaction(async (inside) => {
    for (let number = 0; number < 1000; number++)
      await one.hand({ ...letter, to: `many-${number}@example.org`, workgroup: 'many' }, inside);
    await one.hand({ ...letter, to: 'single@example.org', workgroup: 'single' }, inside);
  });
  one.wake();
  await vi.waitFor(() => expect(recipients).toContain('single'), { timeout: 30_000 });
  expect(recipients.indexOf('single')).toBeLessThan(6);
  await postgres.exec(`delete from pgboss.job where name = 'mail' and state < 'active'`);
  await one.idle();
}, 60_000);

test('a mailbox gets a handful of invitations an hour, and other mails all the same', async () => {
  const { mailer: one, outboxDir } = await mailer(null);
  const to = 'invited@example.org';
  for (let number = 0; number < 8; number++) one.send({ ...letter, to, kind: 'invitation' });
  one.send({ ...letter, to, subject: 'Something else' });
  await one.idle();
  const mails = await Promise.all(
    (await readdir(outboxDir)).map((file) => readFile(join(outboxDir, file), 'utf8')),
  );
  expect(mails).toHaveLength(6);
  expect(mails.filter((mail) => mail.includes('Subject: Something else'))).toHaveLength(1);
});

test('a mail that cannot be written is logged and ends nothing', async () => {
  const { mailer: one, log } = await mailer(null);
  one.send(() => Promise.reject(new Error('the database is away')));
  await one.idle();
  expect(log.join('')).toContain('a mail could not be sent');
});

test('a mailbox gets so many mails an hour, and others go on getting theirs', async () => {
  const { mailer: one, outboxDir, log } = await mailer(null);
  const attempts = new Attempts(new AttemptsStore(postgres));
  for (let sent = 0; sent < MAILS_TO_ONE.limit; sent++)
    await attempts.count([MAILS_TO_ONE, 'full@example.org']);
  one.send({ ...letter, to: 'Full@example.org' });
  one.send({ ...letter, to: ['full@example.org', 'ben@example.org'] });
  await one.idle();
  const mails = await Promise.all(
    (await readdir(outboxDir)).map((file) => readFile(join(outboxDir, file), 'utf8')),
  );
  expect(mails.map((mail) => /^To: (.*?)\r?$/m.exec(mail)?.[1])).toEqual(['ben@example.org']);
  expect(log.join()).toContain('its recipient got too many');
});
