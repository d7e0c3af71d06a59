import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface ServedMail {
  uid: number;
  at: Date;
  source: string;
}

/** A small IMAP server in this process: one read-only mailbox, and as much of RFC 3501 as our reader needs. */
export class ImapTestServer {
  readonly mails: ServedMail[] = [];
  user = 'plant@example.org';
  password = 'a good word';
  validity = 7;
  port = 0;
  /** The commands it got, without passwords. */
  readonly asked: string[] = [];
  readonly #server = createServer((socket) => this.#serve(socket));
  readonly #sockets = new Set<Socket>();

  get address(): string {
    return `imap://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', () => done()));
    this.port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }

  /** A mail with files. */
  deliver(
    { from, subject, id }: { from: string; subject: string; id: string },
    ...files: [name: string, content: string | Buffer][]
  ): void {
    const parts = files.map(([name, content]) =>
      [
        '--part',
        `Content-Type: application/octet-stream; name="${name}"`,
        'Content-Transfer-Encoding: base64',
        `Content-Disposition: attachment; filename="${name}"`,
        '',
        Buffer.from(content).toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
      ].join('\r\n'),
    );
    const source = [
      `From: ${from}`,
      `Subject: ${subject}`,
      `Message-ID: <${id}>`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="part"',
      '',
      '--part',
      'Content-Type: text/plain',
      '',
      'See what is attached.',
      ...parts,
      '--part--',
      '',
    ].join('\r\n');
    this.mails.push({ uid: (this.mails.at(-1)?.uid ?? 0) + 1, at: new Date(), source });
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('* OK [CAPABILITY IMAP4rev1] ready');
    let text = '';
    socket.setEncoding('utf8').on('data', (data) => {
      text += data;
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        this.#answer(line, say, socket);
      }
    });
  }

  #answer(line: string, say: (line: string) => void, socket: Socket): unknown {
    const [, tag = '', command = '', rest = ''] = /^(\S+) ((?:UID )?\S+) ?(.*)$/i.exec(line) ?? [];
    const word = command.toUpperCase();
    this.asked.push(word === 'LOGIN' ? word : `${word} ${rest}`);
    const done = () => say(`${tag} OK done`);
    switch (word) {
      case 'CAPABILITY':
        say('* CAPABILITY IMAP4rev1');
        return done();
      case 'LOGIN': {
        const [user, password] = [...rest.matchAll(/"([^"]*)"|(\S+)/g)].map(
          ([, quoted, plain]) => quoted ?? plain,
        );
        if (user === this.user && password === this.password) return done();
        return say(`${tag} NO [AUTHENTICATIONFAILED] wrong`);
      }
      case 'LIST':
        if (/INBOX|\*/i.test(rest)) say('* LIST (\\HasNoChildren) "/" "INBOX"');
        return done();
      case 'SELECT':
      case 'EXAMINE':
        if (!/INBOX/i.test(rest)) return say(`${tag} NO there is no such mailbox`);
        say(`* ${this.mails.length} EXISTS`);
        say('* FLAGS (\\Seen)');
        say(`* OK [UIDVALIDITY ${this.validity}] valid`);
        say(`* OK [UIDNEXT ${(this.mails.at(-1)?.uid ?? 0) + 1}] next`);
        return say(`${tag} OK [READ-ONLY] done`);
      case 'UID SEARCH': {
        const uids = this.#matching(rest).map(({ uid }) => uid);
        say(`* SEARCH ${uids.join(' ')}`.trim());
        return done();
      }
      case 'UID FETCH':
        for (const mail of this.#meant(rest.split(' ')[0] ?? '')) this.#tell(mail, rest, socket);
        return done();
      case 'LOGOUT':
        say('* BYE');
        done();
        return socket.end();
      default:
        return done();
    }
  }

  #matching(criteria: string): ServedMail[] {
    const header = (name: string) => new RegExp(`${name} (?:"([^"]*)"|(\\S+))`, 'i').exec(criteria);
    const [from, subject, uid] = [header('FROM'), header('SUBJECT'), /UID (\d+):\*/i.exec(criteria)];
    const has = ({ source }: ServedMail, name: string, part: RegExpExecArray | null) =>
      !part ||
      (new RegExp(`^${name}: (.*)$`, 'm').exec(source)?.[1] ?? '').includes(part[1] ?? part[2] ?? '');
    const last = this.mails.at(-1)?.uid;
    return this.mails.filter(
      (mail) =>
        has(mail, 'From', from) &&
        has(mail, 'Subject', subject) &&
        // A range that ends with `*` always includes the newest mail.
        (!uid || mail.uid >= Number(uid[1]) || mail.uid === last),
    );
  }

  #meant(set: string): ServedMail[] {
    const ranges = set.split(',').map((range) => range.split(':').map(Number));
    return this.mails.filter(({ uid }) => ranges.some(([from = 0, to = from]) => uid >= from && uid <= to));
  }

  #tell({ uid, at, source }: ServedMail, items: string, socket: Socket): void {
    const number = this.mails.findIndex((mail) => mail.uid === uid) + 1;
    const day = at.toUTCString().split(' ');
    const date = `${day[1]}-${day[2]}-${day[3]} ${day[4]} +0000`;
    const parts = [`UID ${uid}`];
    if (/RFC822\.SIZE/i.test(items)) parts.push(`RFC822.SIZE ${Buffer.byteLength(source)}`);
    if (/INTERNALDATE/i.test(items)) parts.push(`INTERNALDATE "${date}"`);
    const section = /BODY(?:\.PEEK)?\[\](<\d+)?/i.exec(items);
    if (section) parts.push(`BODY[]${section[1] ? '<0>' : ''} {${Buffer.byteLength(source)}}\r\n${source}`);
    socket.write(`* ${number} FETCH (${parts.join(' ')})\r\n`);
  }
}
