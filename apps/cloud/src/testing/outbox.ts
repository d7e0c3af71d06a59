import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestCloud } from './test-cloud.ts';

export interface ReceivedMail {
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
}

/** The mails to an address, oldest first, after those on their way have arrived. */
export async function mailsTo({ cloud, dataDir }: TestCloud, to: string): Promise<ReceivedMail[]> {
  await cloud.features.mailer.idle();
  const folder = join(dataDir, 'outbox');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).toSorted();
  const mails = await Promise.all(
    names.map(async (name) => parse(await readFile(join(folder, name), 'latin1'))),
  );
  return mails.filter((mail) => mail.to === to);
}

/** The secret of the link to a page in a mail, such as `/reset/…`. */
export function linkIn(mail: ReceivedMail | undefined, page: string): string {
  const secret = new RegExp(`https?://\\S+/${page}/(\\S+)`).exec(mail?.text ?? '')?.[1];
  if (!secret) throw new Error(`the mail has no link to ${page}`);
  return secret;
}

function parse(eml: string): ReceivedMail {
  const [head = '', ...rest] = eml.split('\r\n\r\n');
  const headers = head.replace(/\r\n\s+/g, ' ');
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1] ?? '';
  const boundary = /boundary="([^"]+)"/.exec(headers)?.[1] ?? '';
  const parts = rest.join('\r\n\r\n').split(`--${boundary}`);
  const part = (type: string) => bodyOf(parts.find((one) => one.includes(`Content-Type: ${type}`)) ?? '');
  return {
    to: field('To'),
    from: field('From'),
    subject: field('Subject'),
    text: part('text/plain'),
    html: part('text/html'),
  };
}

function bodyOf(part: string): string {
  const [head = '', ...rest] = part.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  if (/quoted-printable/i.test(head)) {
    const bytes = body
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(bytes, 'latin1').toString('utf8');
  }
  return /base64/i.test(head)
    ? Buffer.from(body, 'base64').toString('utf8')
    : Buffer.from(body, 'latin1').toString('utf8');
}
