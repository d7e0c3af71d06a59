import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readXml } from '@albedo/plugin-kit/fields/read-xml';

const REALM = 'Camera 7';

export interface TestCameraOptions {
  user?: string;
  password?: string;
  /** How its picture is asked for; ONVIF has its own way. */
  auth?: 'none' | 'basic' | 'digest-md5' | 'digest-sha256';
  /** What it shows, from where it looks. */
  picture: (pan: number, tilt: number) => Buffer;
  /** How far its clock is ahead, ms. */
  aheadMs?: number;
  tls?: { key: string; cert: string };
}

/** A camera on this machine: a picture by HTTP, and ONVIF with media and PTZ, which checks what it is asked as cameras do. */
export class TestCamera {
  pan = 0;
  tilt = 0;
  /** What it was told, in order. */
  readonly orders: string[] = [];
  readonly #options: TestCameraOptions;
  readonly #server: Server;
  readonly #nonces = new Set<string>();
  #velocity: { pan: number; tilt: number } | null = null;

  constructor(options: TestCameraOptions) {
    this.#options = options;
    const take = (request: IncomingMessage, response: ServerResponse) => void this.#take(request, response);
    this.#server = options.tls ? createSecureServer(options.tls, take) : createServer(take);
  }

  async start(port = 0): Promise<this> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** Address and port. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const url = new URL(request.url ?? '/', `http://${this.host}`);
    if (url.pathname.startsWith('/onvif/')) return this.#soap(Buffer.concat(chunks).toString(), response);
    if (!this.#isAllowed(request)) return this.#refuse(response);
    if (url.pathname === '/move') return this.#byAddress(url, response);
    if (url.pathname === '/stream') return this.#stream(response);
    if (url.pathname !== '/snapshot.jpg') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(this.#options.picture(this.pan, this.tilt));
  }

  #byAddress({ searchParams }: URL, response: ServerResponse): void {
    this.orders.push(`address ${searchParams}`);
    this.pan += Number(searchParams.get('x') ?? 0);
    this.tilt += Number(searchParams.get('y') ?? 0);
    response.writeHead(204).end();
  }

  /** As MJPEG servers do: it never ends. */
  #stream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=frame' });
    const next = () => {
      response.write('--frame\r\nContent-Type: image/jpeg\r\n\r\n');
      response.write(this.#options.picture(this.pan, this.tilt));
      response.write('\r\n');
    };
    next();
    const timer = setInterval(next, 20);
    response.once('close', () => clearInterval(timer));
  }

  #refuse(response: ServerResponse): void {
    const { auth = 'none' } = this.#options;
    const nonce = randomBytes(8).toString('hex');
    this.#nonces.add(nonce);
    const [, hash] = auth.split('-');
    const algorithm = hash === 'sha256' ? 'SHA-256' : 'MD5';
    const challenge =
      auth === 'basic'
        ? `Basic realm="${REALM}"`
        : `Digest realm="${REALM}", qop="auth", algorithm=${algorithm}, nonce="${nonce}", opaque="o"`;
    response.writeHead(401, { 'www-authenticate': challenge }).end();
  }

  /** Source: RFC 7616, section 3.4. */
  #isAllowed({ headers, method, url }: IncomingMessage): boolean {
    const { auth = 'none', user = '', password = '' } = this.#options;
    const said = headers.authorization ?? '';
    if (auth === 'none') return true;
    if (auth === 'basic') return said === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const field = (name: string) => new RegExp(`\\b${name}="?([^",]+)"?`).exec(said)?.[1] ?? '';
    const digest = (text: string) =>
      createHash(auth === 'digest-md5' ? 'md5' : 'sha256')
        .update(text)
        .digest('hex');
    const proof = [
      digest(`${user}:${REALM}:${password}`),
      field('nonce'),
      field('nc'),
      field('cnonce'),
      'auth',
      digest(`${method}:${url}`),
    ].join(':');
    return (
      this.#nonces.has(field('nonce')) && field('username') === user && field('response') === digest(proof)
    );
  }

  #soap(text: string, response: ServerResponse): void {
    const envelope = (readXml(text) as { Envelope: { Header?: unknown; Body: Record<string, unknown> } })
      .Envelope;
    const [[name, asked] = ['', {}]] = Object.entries(envelope.Body).filter(([one]) => !one.startsWith('@'));
    const answer = (status: number, body: string) =>
      response
        .writeHead(status, { 'content-type': 'application/soap+xml' })
        .end(
          `<?xml version="1.0"?>\n<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://www.w3.org/2003/05/soap-envelope" xmlns:tt="http://www.onvif.org/ver10/schema" xmlns:tds="http://www.onvif.org/ver10/device/wsdl" xmlns:trt="http://www.onvif.org/ver10/media/wsdl" xmlns:tptz="http://www.onvif.org/ver20/ptz/wsdl" xmlns:ter="http://www.onvif.org/ver10/error"><SOAP-ENV:Body>${body}</SOAP-ENV:Body></SOAP-ENV:Envelope>`,
        );
    const fault = (code: string, reason: string) =>
      answer(
        400,
        `<SOAP-ENV:Fault><SOAP-ENV:Code><SOAP-ENV:Value>SOAP-ENV:Sender</SOAP-ENV:Value><SOAP-ENV:Subcode><SOAP-ENV:Value>ter:${code}</SOAP-ENV:Value></SOAP-ENV:Subcode></SOAP-ENV:Code><SOAP-ENV:Reason><SOAP-ENV:Text xml:lang="en">${reason}</SOAP-ENV:Text></SOAP-ENV:Reason></SOAP-ENV:Fault>`,
      );
    const isOpen = name === 'GetSystemDateAndTime';
    if (!isOpen && !this.#isToken(envelope.Header)) {
      fault('NotAuthorized', 'Sender not authorized');
      return;
    }
    const body = this.#answerTo(name, asked as Record<string, unknown>);
    if (body === null) fault('ActionNotSupported', 'Optional Action Not Implemented');
    else answer(200, body);
  }

  #answerTo(name: string, asked: Record<string, unknown>): string | null {
    // The address by which it knows itself, which is not the one by which it is reached.
    const own = `http://192.168.99.7:${this.host.split(':')[1]}`;
    switch (name) {
      case 'GetSystemDateAndTime': {
        const at = new Date(Date.now() + (this.#options.aheadMs ?? 0));
        return `<tds:GetSystemDateAndTimeResponse><tds:SystemDateAndTime><tt:DateTimeType>NTP</tt:DateTimeType><tt:UTCDateTime><tt:Time><tt:Hour>${at.getUTCHours()}</tt:Hour><tt:Minute>${at.getUTCMinutes()}</tt:Minute><tt:Second>${at.getUTCSeconds()}</tt:Second></tt:Time><tt:Date><tt:Year>${at.getUTCFullYear()}</tt:Year><tt:Month>${at.getUTCMonth() + 1}</tt:Month><tt:Day>${at.getUTCDate()}</tt:Day></tt:Date></tt:UTCDateTime></tds:SystemDateAndTime></tds:GetSystemDateAndTimeResponse>`;
      }
      case 'GetCapabilities':
        return `<tds:GetCapabilitiesResponse><tds:Capabilities><tt:Device><tt:XAddr>${own}/onvif/device_service</tt:XAddr></tt:Device><tt:Media><tt:XAddr>${own}/onvif/media_service</tt:XAddr></tt:Media><tt:PTZ><tt:XAddr>${own}/onvif/ptz_service</tt:XAddr></tt:PTZ></tds:Capabilities></tds:GetCapabilitiesResponse>`;
      case 'GetDeviceInformation':
        return '<tds:GetDeviceInformationResponse><tds:Manufacturer>Oculo</tds:Manufacturer><tds:Model>Dome 7</tds:Model></tds:GetDeviceInformationResponse>';
      case 'GetProfiles':
        return '<trt:GetProfilesResponse><trt:Profiles token="sub" fixed="true"><tt:Name>sub</tt:Name></trt:Profiles><trt:Profiles token="main" fixed="true"><tt:Name>main</tt:Name><tt:PTZConfiguration token="ptz0"><tt:NodeToken>node0</tt:NodeToken></tt:PTZConfiguration></trt:Profiles></trt:GetProfilesResponse>';
      case 'GetSnapshotUri':
        return `<trt:GetSnapshotUriResponse><trt:MediaUri><tt:Uri>${own}/snapshot.jpg?profile=${asked.ProfileToken}&amp;x=1</tt:Uri></trt:MediaUri></trt:GetSnapshotUriResponse>`;
      case 'ContinuousMove': {
        const { '@x': x, '@y': y } = (asked.Velocity as { PanTilt: Record<string, string> }).PanTilt;
        this.#velocity = { pan: Number(x), tilt: Number(y) };
        this.orders.push(`move ${asked.ProfileToken} ${x} ${y}`);
        return '<tptz:ContinuousMoveResponse/>';
      }
      case 'Stop':
        this.orders.push('stop');
        this.pan += this.#velocity?.pan ?? 0;
        this.tilt += this.#velocity?.tilt ?? 0;
        this.#velocity = null;
        return '<tptz:StopResponse/>';
      case 'GotoHomePosition':
        this.orders.push('home');
        [this.pan, this.tilt] = [0, 0];
        return '<tptz:GotoHomePositionResponse/>';
      default:
        return null;
    }
  }

  /** Source: Web Services Security UsernameToken Profile 1.0; a token of another minute counts as stolen. */
  #isToken(header: unknown): boolean {
    const { user, password = '', aheadMs = 0 } = this.#options;
    if (user === undefined) return true;
    const token = (header as { Security?: { UsernameToken?: Record<string, unknown> } })?.Security
      ?.UsernameToken;
    const text = (of: unknown) =>
      typeof of === 'string' ? of : String((of as { '#text'?: string })?.['#text']);
    if (!token) return false;
    const [nonce, created] = [text(token.Nonce), text(token.Created)];
    const proof = createHash('sha1')
      .update(Buffer.from(nonce, 'base64'))
      .update(created + password)
      .digest('base64');
    const isFresh = Math.abs(Date.parse(created) - Date.now() - aheadMs) < 60_000;
    return token.Username === user && text(token.Password) === proof && isFresh;
  }
}

/** The smallest grey picture that is a JPEG. */
export const GREY_JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z',
  'base64',
);
