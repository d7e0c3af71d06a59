import { createHash, generateKeyPairSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import ssh2, { type Connection, type SFTPWrapper } from 'ssh2';

export interface ServedFile {
  content: Buffer;
  /** Seconds since 1970. */
  mtime: number;
  /** Its kind; a plain file by default. */
  mode?: number;
  /** It grows each time somebody looks at it. */
  isGrowing?: boolean;
  /** What goes wrong when it is read or closed. */
  trouble?: 'denied' | 'cut' | 'nonsense' | 'not closed';
}

const [FOLDER, FILE] = [0o040755, 0o100644];
export const LINK = 0o120777;

/** A real SFTP server in this process, with one folder `/out` in memory. */
export class SftpTestServer {
  readonly files = new Map<string, ServedFile>();
  /** Names of the files that were downloaded. */
  readonly read: string[] = [];
  user = 'plant';
  password = 'a good word';
  /** A private key that is accepted. */
  key: string | null = null;
  hostKey = '';
  port = 0;
  /** Lets everybody in and then answers nothing. */
  isSilent = false;
  #server: ssh2.Server | null = null;
  readonly #connections = new Set<Connection>();

  get address(): string {
    return `sftp://127.0.0.1:${this.port}`;
  }

  /** Starts on a free port; a restart keeps the port and has a new host key. */
  async start(): Promise<void> {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    const parsed = ssh2.utils.parseKey(privateKey);
    if (parsed instanceof Error) throw parsed;
    const [key] = [parsed].flat();
    const bytes = key?.getPublicSSH() ?? Buffer.alloc(0);
    this.hostKey = `SHA256:${createHash('sha256').update(bytes).digest('base64').replace(/=+$/, '')}`;
    const server = new ssh2.Server({ hostKeys: [privateKey] }, (client) => this.#serve(client));
    this.#server = server;
    await new Promise<void>((done) => server.listen(this.port, '127.0.0.1', () => done()));
    this.port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const client of this.#connections) client.end();
    await new Promise<void>((done) => this.#server?.close(() => done()) ?? done());
  }

  put(name: string, content: string | Buffer, change: Partial<ServedFile> = {}): void {
    this.files.set(name, { content: Buffer.from(content), mtime: 1_780_000_000, ...change });
  }

  #serve(client: Connection): void {
    this.#connections.add(client);
    client.on('close', () => this.#connections.delete(client));
    client.on('error', () => undefined);
    client.on('authentication', (attempt) => {
      if (attempt.username !== this.user) return attempt.reject(['password', 'publickey']);
      if (attempt.method === 'password' && attempt.password === this.password) return attempt.accept();
      if (attempt.method === 'publickey' && this.key !== null) {
        const allowed = ssh2.utils.parseKey(this.key);
        const [key] = [allowed].flat();
        if (key instanceof Error || !key) return attempt.reject();
        const isSame = key.getPublicSSH().equals(attempt.key.data);
        const { blob, signature, hashAlgo } = attempt;
        if (isSame && (!signature || (blob && key.verify(blob, signature, hashAlgo) === true)))
          return attempt.accept();
      }
      attempt.reject(['password', 'publickey']);
    });
    client.on('session', (accept) => {
      accept().on('sftp', (acceptSftp) => this.#files(acceptSftp(), client));
    });
  }

  #files(sftp: SFTPWrapper, client: Connection): void {
    const { OPEN_MODE: _mode, STATUS_CODE: status } = ssh2.utils.sftp;
    const open = new Map<number, { name: string | null; isListed: boolean }>();
    let next = 0;
    const handleOf = (about: { name: string | null; isListed: boolean }) => {
      const handle = Buffer.alloc(4);
      handle.writeUInt32BE(next);
      open.set(next, about);
      next += 1;
      return handle;
    };
    const fileAt = (path: string) => this.files.get(path.replace(/^\/out\//, ''));
    const attrsOf = (file: ServedFile) => ({
      mode: file.mode ?? FILE,
      uid: 0,
      gid: 0,
      size: file.content.length,
      atime: file.mtime,
      mtime: file.mtime,
    });
    sftp.on('OPENDIR', (id, path) => {
      if (this.isSilent) return;
      if (path.replace(/\/+$/, '') !== '/out') sftp.status(id, status.NO_SUCH_FILE);
      else sftp.handle(id, handleOf({ name: null, isListed: false }));
    });
    sftp.on('READDIR', (id, handle) => {
      const about = open.get(handle.readUInt32BE());
      if (!about || about.isListed) return sftp.status(id, status.EOF);
      about.isListed = true;
      const folders = ['.', '..'].map((filename) => ({
        filename,
        longname: filename,
        attrs: { mode: FOLDER, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 },
      }));
      const files = [...this.files].map(([filename, file]) => ({
        filename,
        longname: filename,
        attrs: attrsOf(file),
      }));
      sftp.name(id, [...folders, ...files]);
    });
    const stat = (id: number, path: string) => {
      const file = fileAt(path);
      if (!file) return sftp.status(id, status.NO_SUCH_FILE);
      if (file.isGrowing) file.content = Buffer.concat([file.content, Buffer.from('x')]);
      sftp.attrs(id, attrsOf(file));
    };
    sftp.on('STAT', stat);
    sftp.on('LSTAT', stat);
    sftp.on('FSTAT', (id, handle) => {
      const file = this.files.get(open.get(handle.readUInt32BE())?.name ?? '');
      if (file) sftp.attrs(id, attrsOf(file));
      else sftp.status(id, status.FAILURE);
    });
    sftp.on('OPEN', (id, path) => {
      const name = path.replace(/^\/out\//, '');
      if (!fileAt(path)) return sftp.status(id, status.NO_SUCH_FILE);
      if (fileAt(path)?.trouble === 'denied') return sftp.status(id, status.PERMISSION_DENIED);
      this.read.push(name);
      sftp.handle(id, handleOf({ name, isListed: false }));
    });
    sftp.on('READ', (id, handle, offset, length) => {
      const file = this.files.get(open.get(handle.readUInt32BE())?.name ?? '');
      if (file?.trouble === 'cut') return void client.end();
      if (file?.trouble === 'nonsense') return sendNonsense(sftp);
      const piece = file?.content.subarray(offset, offset + length);
      if (piece && piece.length > 0) sftp.data(id, piece);
      else sftp.status(id, status.EOF);
    });
    sftp.on('CLOSE', (id, handle) => {
      const file = this.files.get(open.get(handle.readUInt32BE())?.name ?? '');
      sftp.status(id, file?.trouble === 'not closed' ? status.FAILURE : status.OK);
    });
  }
}

/** A packet of an unknown kind. */
function sendNonsense(sftp: SFTPWrapper): void {
  const inside = sftp as unknown as {
    _protocol: { channelData: (channel: number, data: Buffer) => void };
    outgoing: { id: number };
  };
  inside._protocol.channelData(inside.outgoing.id, Buffer.from([0, 0, 0, 5, 250, 0, 0, 0, 1]));
}
