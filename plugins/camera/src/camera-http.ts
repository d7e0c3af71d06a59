import { type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect, type TLSSocket } from 'node:tls';
import { type Account, authorizationFor, type Challenge, challengeOf } from './http-auth.ts';
import { MovingPictures } from './moving-pictures.ts';

/** Times that a server may send elsewhere. */
const MOST_TURNS = 3;

export interface CameraRequest {
  url: URL;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

export interface CameraReply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface CameraHttpOptions {
  account: Account | null;
  timeoutMs: number;
  mostBytes: number;
  /** SHA-256 of the certificate of a camera that no authority vouches for, hexadecimal; empty for one that is checked as usual. */
  fingerprint: string;
}

/** Asks a camera by HTTP or HTTPS, and signs in as it wants: Basic, or Digest with MD5 or SHA-256. */
export class CameraHttp {
  readonly #options: CameraHttpOptions;
  #challenge: Challenge | null = null;
  #count = 0;

  constructor(options: CameraHttpOptions) {
    this.#options = options;
  }

  /**
   * The answer, whatever its status but 401. Of a stream of pictures it is the first one. Rejects for an answer that does
   * not end in time, that is larger than allowed, and for one that leads to another host: it would learn the password.
   */
  async ask(request: CameraRequest, signal: AbortSignal): Promise<CameraReply> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(this.#options.timeoutMs)]);
    try {
      return await this.#follow(request, limit);
    } catch (error) {
      if (limit.aborted && !signal.aborted) throw new Error('no answer in time');
      throw error;
    }
  }

  async #follow(first: CameraRequest, signal: AbortSignal): Promise<CameraReply> {
    let request = first;
    for (let turns = 0; turns <= MOST_TURNS; turns++) {
      const reply = await this.#signedIn(request, signal);
      const { location } = reply.headers;
      if (reply.status < 300 || reply.status > 399 || !location) return reply;
      const next = URL.parse(location, request.url.href);
      if (next?.hostname !== request.url.hostname || !/^https?:$/.test(next.protocol))
        throw new Error('the camera leads to another host');
      request = { ...request, url: next };
    }
    throw new Error('the camera leads round in a circle');
  }

  async #signedIn(request: CameraRequest, signal: AbortSignal): Promise<CameraReply> {
    const { account } = this.#options;
    const known = this.#challenge;
    const reply = await this.#send(request, signal);
    if (reply.status !== 401) return reply;
    const challenge = challengeOf(reply.challenges);
    if (!account) throw new Error('the camera asks for a user and a password');
    if (!challenge) throw new Error('the camera asks for a way to sign in that is not known here');
    // What it has just refused is wrong, unless it gives a new number to sign with.
    const isSame = known !== null && JSON.stringify(known) === JSON.stringify(challenge);
    this.#challenge = challenge;
    this.#count = 0;
    const second = isSame ? reply : await this.#send(request, signal);
    if (second.status === 401) throw new Error('the camera refuses this user and password');
    return second;
  }

  async #send({ url, method = 'GET', headers = {}, body }: CameraRequest, signal: AbortSignal) {
    const { account, fingerprint } = this.#options;
    const path = `${url.pathname}${url.search}`;
    const signed =
      account && this.#challenge
        ? {
            authorization: authorizationFor(this.#challenge, account, { method, path, count: ++this.#count }),
          }
        : {};
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const all = { accept: '*/*', ...headers, ...length, ...signed };
    const known =
      url.protocol === 'https:' && fingerprint !== '' ? await knownSocket(url, fingerprint, signal) : null;
    const options = {
      method,
      headers: all,
      signal,
      ...(known ? { createConnection: () => known } : { agent: false }),
    };
    return new Promise<CameraReply & { challenges: string[] }>((resolve, reject) => {
      const ask = url.protocol === 'https:' ? secureRequest : plainRequest;
      const request = ask(url, options, (response) => void this.#read(response).then(resolve, reject));
      request.once('error', (error) => reject(explained(error)));
      request.end(body);
    });
  }

  async #read(response: IncomingMessage): Promise<CameraReply & { challenges: string[] }> {
    const { mostBytes } = this.#options;
    const pictures = MovingPictures.of(response.headers['content-type'] ?? '');
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > mostBytes) throw new Error(`the answer is larger than ${mostBytes} bytes`);
      const picture = pictures?.take(chunk);
      if (picture) {
        response.destroy();
        return { ...headOf(response), body: picture };
      }
      if (!pictures) chunks.push(chunk);
    }
    if (pictures) throw new Error('the stream ended before its first picture');
    return { ...headOf(response), body: Buffer.concat(chunks) };
  }
}

const headOf = (response: IncomingMessage) => ({
  status: response.statusCode ?? 0,
  headers: response.headers,
  challenges: response.headersDistinct['www-authenticate'] ?? [],
});

/** Colons and the case of the letters do not count. */
export const plainFingerprint = (text: string): string => text.replaceAll(':', '').toLowerCase();

/** A connection to a camera that has shown its certificate; nothing was sent yet. Rejects for another certificate. */
function knownSocket(url: URL, fingerprint: string, signal: AbortSignal): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(url.port || 443), rejectUnauthorized: false });
    const end = () => socket.destroy(new Error('the camera was not asked to the end'));
    signal.addEventListener('abort', end, { once: true });
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      signal.removeEventListener('abort', end);
      const shown = plainFingerprint(socket.getPeerCertificate().fingerprint256 ?? '');
      if (shown === fingerprint) return resolve(socket);
      socket.destroy();
      reject(new Error(`the camera shows another certificate, ${shown || 'or none'}`));
    });
  });
}

/** Cameras sign their certificates themselves: whoever meets that is told what to do. */
function explained(error: Error): Error {
  const { code = '' } = error as NodeJS.ErrnoException;
  const isOfAuthority = /SELF_SIGNED|UNABLE_TO|CERT_|ALTNAME/.test(code);
  if (!isOfAuthority) return error.message ? error : new Error(code);
  return new Error(`${error.message}; if the certificate is the camera's own, give its --fingerprint`);
}
