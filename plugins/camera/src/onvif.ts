import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { plainText } from '@albedo/plugin-kit/fields/field-value';
import { readXml } from '@albedo/plugin-kit/fields/read-xml';
import type { CameraHttp } from './camera-http.ts';
import type { Account } from './http-auth.ts';
import type { Direction } from './moves.ts';

const SOAP = 'http://www.w3.org/2003/05/soap-envelope';
const DEVICE = 'http://www.onvif.org/ver10/device/wsdl';
const MEDIA = 'http://www.onvif.org/ver10/media/wsdl';
const PTZ = 'http://www.onvif.org/ver20/ptz/wsdl';
const SCHEMA = 'http://www.onvif.org/ver10/schema';
const OASIS = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss';
const DIGEST = `${OASIS}-username-token-profile-1.0#PasswordDigest`;
const BASE64 = `${OASIS}-soap-message-security-1.0#Base64Binary`;

/** What a camera offers, asked for once. */
interface Offer {
  media: URL;
  /** Null for one that cannot be moved. */
  ptz: URL | null;
  profile: string;
  profiles: string[];
}

export interface OnvifFacts {
  maker: string;
  model: string;
  profiles: string[];
  isMovable: boolean;
}

/**
 * A camera that speaks ONVIF: where its pictures are, and moving it.
 *
 * Source: ONVIF Core, Media (ver10) and PTZ (ver20) service specifications; Web Services Security UsernameToken 1.0.
 */
export class OnvifCamera {
  readonly #http: CameraHttp;
  readonly #account: Account | null;
  readonly #device: URL;
  readonly #wanted: string;
  #offer: Offer | null = null;
  /** How far the clock of the camera is ahead of this one, ms: it refuses what seems to be old. */
  #aheadMs = 0;

  constructor(device: URL, profile: string, http: CameraHttp, account: Account | null) {
    this.#device = device;
    this.#wanted = profile;
    this.#http = http;
    this.#account = account;
  }

  async facts(signal: AbortSignal): Promise<OnvifFacts> {
    const { ptz, profiles } = await this.#offered(signal);
    const said = await this.#ask(this.#device, `<GetDeviceInformation xmlns="${DEVICE}"/>`, signal);
    const about = part(said, 'GetDeviceInformationResponse');
    return {
      maker: textAt(about, 'Manufacturer'),
      model: textAt(about, 'Model'),
      profiles,
      isMovable: ptz !== null,
    };
  }

  /** Where its picture of this moment is. */
  async snapshot(signal: AbortSignal): Promise<URL> {
    const { media, profile } = await this.#offered(signal);
    const body = `<GetSnapshotUri xmlns="${MEDIA}"><ProfileToken>${escaped(profile)}</ProfileToken></GetSnapshotUri>`;
    const reply = await this.#ask(media, body, signal);
    const said = textAt(part(reply, 'GetSnapshotUriResponse', 'MediaUri'), 'Uri');
    const url = URL.parse(said);
    if (!url || !/^https?:$/.test(url.protocol))
      throw new Error('the camera names no address of its picture');
    // Behind an address of the plant's network cameras still tell their own.
    url.hostname = this.#device.hostname;
    return url;
  }

  /** Moves for so long, s, at a share of its full speed. */
  async move({ pan, tilt }: Direction, speed: number, forS: number, signal: AbortSignal): Promise<void> {
    const { ptz, profile } = await this.#movable(signal);
    const token = `<ProfileToken>${escaped(profile)}</ProfileToken>`;
    const velocity = `<PanTilt xmlns="${SCHEMA}" x="${pan * speed}" y="${tilt * speed}"/>`;
    const begin = `<ContinuousMove xmlns="${PTZ}">${token}<Velocity>${velocity}</Velocity></ContinuousMove>`;
    const end = `<Stop xmlns="${PTZ}">${token}<PanTilt>true</PanTilt><Zoom>true</Zoom></Stop>`;
    await this.#ask(ptz, begin, signal);
    try {
      await sleep(forS * 1000, undefined, { signal });
    } finally {
      // Also when nobody waits any more: it would go on to its end.
      await this.#ask(ptz, end, new AbortController().signal);
    }
  }

  async home(signal: AbortSignal): Promise<void> {
    const { ptz, profile } = await this.#movable(signal);
    const token = `<ProfileToken>${escaped(profile)}</ProfileToken>`;
    await this.#ask(ptz, `<GotoHomePosition xmlns="${PTZ}">${token}</GotoHomePosition>`, signal);
  }

  async #movable(signal: AbortSignal): Promise<Offer & { ptz: URL }> {
    const offer = await this.#offered(signal);
    if (!offer.ptz) throw new Error('the camera cannot be moved');
    return { ...offer, ptz: offer.ptz };
  }

  async #offered(signal: AbortSignal): Promise<Offer> {
    if (this.#offer) return this.#offer;
    await this.#readClock(signal);
    const asked = `<GetCapabilities xmlns="${DEVICE}"><Category>All</Category></GetCapabilities>`;
    const reply = await this.#ask(this.#device, asked, signal);
    const offered = part(reply, 'GetCapabilitiesResponse', 'Capabilities');
    const media = this.#service(textAt(part(offered, 'Media'), 'XAddr'));
    if (!media) throw new Error('the camera offers no pictures over ONVIF');
    const ptz = this.#service(textAt(part(offered, 'PTZ'), 'XAddr'));
    const listed = await this.#ask(media, `<GetProfiles xmlns="${MEDIA}"/>`, signal);
    const all = listOf(part(listed, 'GetProfilesResponse'), 'Profiles').map((one) => ({
      token: textAt(one, '@token'),
      isMovable: part(one, 'PTZConfiguration') !== undefined,
    }));
    const profiles = all.map(({ token }) => token).filter((token) => token !== '');
    const best = all.find(({ token, isMovable }) => isMovable && token !== '')?.token ?? profiles[0];
    if (best === undefined) throw new Error('the camera has no profile');
    if (this.#wanted !== '' && !profiles.includes(this.#wanted))
      throw new Error(`the camera has no profile "${this.#wanted}"; it has ${profiles.join(', ')}`);
    this.#offer = { media, ptz, profile: this.#wanted || best, profiles };
    return this.#offer;
  }

  /** Anybody may ask for it, and some cameras do not know it. */
  async #readClock(signal: AbortSignal): Promise<void> {
    try {
      const reply = await this.#ask(this.#device, `<GetSystemDateAndTime xmlns="${DEVICE}"/>`, signal, false);
      const utc = part(reply, 'GetSystemDateAndTimeResponse', 'SystemDateAndTime', 'UTCDateTime');
      const [date, time] = [part(utc, 'Date'), part(utc, 'Time')];
      const number = (of: unknown, name: string) => Number(textAt(of, name) || Number.NaN);
      const at = Date.UTC(
        number(date, 'Year'),
        number(date, 'Month') - 1,
        number(date, 'Day'),
        number(time, 'Hour'),
        number(time, 'Minute'),
        number(time, 'Second'),
      );
      this.#aheadMs = Number.isFinite(at) ? at - Date.now() : 0;
    } catch (error) {
      if (signal.aborted || !(error instanceof FaultError)) throw error;
      this.#aheadMs = 0;
    }
  }

  /** An address of the camera's own on its way as this device reaches it: the password goes nowhere else. */
  #service(said: string): URL | null {
    const url = URL.parse(said, this.#device.href);
    return said === '' || !url ? null : new URL(`${url.pathname}${url.search}`, this.#device);
  }

  async #ask(url: URL, body: string, signal: AbortSignal, isSigned = true): Promise<unknown> {
    const head = isSigned && this.#account ? this.#security(this.#account) : '';
    const envelope = `<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="${SOAP}"><s:Header>${head}</s:Header><s:Body>${body}</s:Body></s:Envelope>`;
    const headers = { 'content-type': 'application/soap+xml; charset=utf-8' };
    const reply = await this.#http.ask({ url, method: 'POST', headers, body: envelope }, signal);
    const text = reply.body.toString('utf8');
    if (!text.trimStart().startsWith('<'))
      throw new Error(`no ONVIF at ${url.pathname}: HTTP ${reply.status}`);
    const said = part(readXml(text), 'Envelope', 'Body');
    const fault = part(said, 'Fault');
    if (fault !== undefined) throw new FaultError(faultText(fault));
    if (reply.status !== 200 || said === undefined)
      throw new Error(`no ONVIF at ${url.pathname}: HTTP ${reply.status}`);
    return said;
  }

  #security({ user, password }: Account): string {
    const nonce = randomBytes(16);
    const created = new Date(Date.now() + this.#aheadMs).toISOString();
    const proof = createHash('sha1').update(nonce).update(created).update(password).digest('base64');
    return `<w:Security s:mustUnderstand="1" xmlns:w="${OASIS}-wssecurity-secext-1.0.xsd" xmlns:u="${OASIS}-wssecurity-utility-1.0.xsd"><w:UsernameToken><w:Username>${escaped(user)}</w:Username><w:Password Type="${DIGEST}">${proof}</w:Password><w:Nonce EncodingType="${BASE64}">${nonce.toString('base64')}</w:Nonce><u:Created>${created}</u:Created></w:UsernameToken></w:Security>`;
  }
}

/** The camera says no, in its own words. */
class FaultError extends Error {}

function faultText(fault: unknown): string {
  const reason = part(fault, 'Reason', 'Text') ?? part(fault, 'faultstring');
  const text = typeof reason === 'string' ? reason : textAt(reason, '#text');
  const code = textAt(part(fault, 'Code', 'Subcode'), 'Value').replace(/^\w+:/, '');
  return `the camera says: ${plainText(text || code || 'it cannot do that').slice(0, 200)}`;
}

function part(of: unknown, ...names: string[]): unknown {
  let at = of;
  for (const name of names) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

function textAt(of: unknown, name: string): string {
  const found = part(of, name);
  return typeof found === 'string' ? found : '';
}

const listOf = (of: unknown, name: string): unknown[] => [part(of, name) ?? []].flat();

const escaped = (text: string): string => text.replace(/[<>&"']/g, (letter) => `&#${letter.codePointAt(0)};`);
