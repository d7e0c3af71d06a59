import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { Agent } from 'undici';

/** An address was not fetched; the message says why, in words for the person who typed it. */
export class OutsideError extends Error {}

export interface OutsideFetchOptions {
  /** Address of this server: only one that stands in a private network itself reads addresses of such networks. */
  publicUrl: () => string;
  timeoutMs?: number;
  maxBytes?: number;
  /**
   * Only addresses of the internet over https at its usual ports, and machines of these networks, with http as well and
   * at any port; wherever this server stands. Nobody's word opens what is never of use.
   */
  networks?: readonly string[];
  /** Machines that may be read at all, `*.` before a name for all below it; none for any. */
  hosts?: readonly string[];
  /** Who says which addresses a name stands for; the system where nobody is named. */
  lookup?: LookupAll;
}

type LookupAll = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** How addresses of a protocol begin, and at which ports machines of the internet are asked, where networks are told. */
interface Scheme {
  secure: string;
  plain: string;
  ports: ReadonlySet<string>;
}
const WEB: Scheme = { secure: 'https:', plain: 'http:', ports: new Set(['', '443', '8443']) };
/** SFTP has no plain form: SSH is always encrypted. */
const SFTP: Scheme = { secure: 'sftp:', plain: 'sftp:', ports: new Set(['', '22', '2022', '2222']) };
const IMAP: Scheme = { secure: 'imaps:', plain: 'imap:', ports: new Set(['', '993']) };
const MQTT: Scheme = { secure: 'mqtts:', plain: 'mqtt:', ports: new Set(['', '443', '8883', '8884']) };

/** Never of use to anybody: among others, the metadata services of clouds answer there. */
const NEVER = new BlockList();
NEVER.addSubnet('169.254.0.0', 16);
NEVER.addSubnet('0.0.0.0', 8);
NEVER.addSubnet('224.0.0.0', 3);
// The host of virtual machines in Azure, which gives them their secrets.
NEVER.addAddress('168.63.129.16');
// Metadata services that answer within private ranges: Alibaba Cloud, Oracle Cloud, and AWS over IPv6.
NEVER.addAddress('100.100.100.200');
NEVER.addAddress('192.0.0.192');
NEVER.addAddress('fd00:ec2::254', 'ipv6');
NEVER.addSubnet('fe80::', 10, 'ipv6');
NEVER.addSubnet('ff00::', 8, 'ipv6');
NEVER.addAddress('::', 'ipv6');

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

const PRIVATE = new BlockList();
PRIVATE.addSubnet('10.0.0.0', 8);
PRIVATE.addSubnet('172.16.0.0', 12);
PRIVATE.addSubnet('192.168.0.0', 16);
PRIVATE.addSubnet('100.64.0.0', 10);
PRIVATE.addSubnet('192.0.0.0', 24);
PRIVATE.addSubnet('198.18.0.0', 15);
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fec0::', 10, 'ipv6');
// Ways to write an IPv4 address, of whatever network, as one of IPv6.
PRIVATE.addSubnet('::', 96, 'ipv6');
PRIVATE.addSubnet('::ffff:0:0:0', 96, 'ipv6');
PRIVATE.addSubnet('64:ff9b::', 96, 'ipv6');
PRIVATE.addSubnet('64:ff9b:1::', 48, 'ipv6');
PRIVATE.addSubnet('2001::', 32, 'ipv6');
PRIVATE.addSubnet('2002::', 16, 'ipv6');

type Reach = 'public' | 'private' | 'loopback' | 'never';

/** Whether an address that a name stands for may be connected to. */
type IsOpen = (address: string) => boolean;

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

export function reachOf(address: string): Reach {
  const family = familyOf(address);
  if (NEVER.check(address, family)) return 'never';
  if (LOOPBACK.check(address, family)) return 'loopback';
  return PRIVATE.check(address, family) ? 'private' : 'public';
}

/**
 * Reads addresses that people typed, of machines that are not ours.
 *
 * Only https, but on a server that is itself reached by a loopback address. Names are resolved once, and the address
 * that was checked is the one that is connected to. Redirects are refused, answers are limited in size and time.
 */
export class OutsideFetch {
  readonly #options: OutsideFetchOptions;
  readonly #agents = new Map<IsOpen, Agent>();
  #reach: Promise<{ allowed: Set<Reach>; isOpen: IsOpen }> | null = null;
  #inside: { only: IsOpen; orPublic: IsOpen } | null = null;

  constructor(options: OutsideFetchOptions) {
    this.#options = options;
  }

  /** Throws `OutsideError`. */
  async fetch(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const { timeoutMs = 8000 } = this.#options;
    const url = new URL(address);
    const isOpen = await this.#openTo(url);
    // A hundred files, which a server that fetches nothing need not read.
    const undici = await import('undici');
    try {
      return (await undici.fetch(url, {
        ...(init as object),
        redirect: 'error',
        dispatcher: this.#dispatcher(isOpen, undici.Agent),
        signal: AbortSignal.timeout(timeoutMs),
      })) as unknown as Response;
    } catch (error) {
      throw new OutsideError(wordsOf(error, url.host), { cause: error });
    }
  }

  /**
   * Says at once that an address will never be fetched: by how it is written, or by the machines that its name stands for now.
   * Throws `OutsideError`.
   */
  async demandOpen(url: URL): Promise<void> {
    const within = lookupWithin(await this.#openTo(url), this.#options.lookup);
    const host = bare(url.hostname);
    if (isIP(host) !== 0) return;
    await new Promise<void>((resolve, reject) => {
      within(host, { all: true }, (error) => {
        // A name that nobody knows yet may be known when it is called.
        if (error instanceof OutsideError) reject(error);
        else resolve();
      });
    });
  }

  /** The text behind the address. Throws `OutsideError`, also for another status than 200. */
  async text(address: string): Promise<string> {
    const response = await this.fetch(address);
    if (response.status !== 200) throw new OutsideError(`it answered with status ${response.status}.`);
    try {
      return await response.text();
    } catch (error) {
      throw new OutsideError(wordsOf(error, new URL(address).host), { cause: error });
    }
  }

  /**
   * The lookup for the host of an MQTT, SFTP or IMAP address; it only gives addresses that were checked. Throws
   * `OutsideError`, and so does the lookup itself.
   */
  async lookupOf(address: URL): Promise<LookupFunction> {
    const scheme = [SFTP, IMAP].find(({ secure, plain }) => [secure, plain].includes(address.protocol));
    return lookupWithin(await this.#openTo(address, scheme ?? MQTT), this.#options.lookup);
  }

  /** The checked IP address of the host, for clients that do not take a lookup. Throws `OutsideError`. */
  async placeOf(address: URL): Promise<string> {
    const lookupHost = await this.lookupOf(address);
    const host = bare(address.hostname);
    if (isIP(host) !== 0) return host;
    return new Promise((resolve, reject) => {
      lookupHost(host, {}, (error, place) => {
        if (error) reject(new OutsideError(wordsOf(error, host), { cause: error }));
        else resolve(place as string);
      });
    });
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }

  /** Which resolved addresses may be connected to for this one. Throws `OutsideError`. */
  async #openTo(url: URL, scheme = WEB): Promise<IsOpen> {
    const { networks, hosts = [] } = this.#options;
    if (hosts.length > 0 && !isAmong(hosts, bare(url.hostname).toLowerCase()))
      throw new OutsideError(`${url.hostname} is not among the machines that this server may ask.`);
    if (url.username || url.password) throw new OutsideError('an address with a password in it is not read.');
    const isOpen = networks
      ? this.#withinNetworks(url, scheme, networks)
      : await this.#asThisServer(url, scheme);
    const host = bare(url.hostname);
    // A literal address is connected to without a look-up.
    if (isIP(host) !== 0 && !isOpen(host)) throw new OutsideError(`${host} is not a public address.`);
    return isOpen;
  }

  #withinNetworks(url: URL, { secure, plain, ports }: Scheme, networks: readonly string[]): IsOpen {
    this.#inside ??= insideOf(networks);
    const isSecure = url.protocol === secure;
    if (!isSecure && url.protocol !== plain) throw new OutsideError(`it must begin with ${secure}//.`);
    if (isSecure && ports.has(url.port)) return this.#inside.orPublic;
    if (networks.length === 0)
      throw new OutsideError(
        isSecure ? `the port ${url.port} is not allowed.` : `it must begin with ${secure}//.`,
      );
    return this.#inside.only;
  }

  async #asThisServer(url: URL, { secure, plain }: Scheme): Promise<IsOpen> {
    this.#reach ??= reachesFrom(new URL(this.#options.publicUrl()).hostname).then((allowed) => ({
      allowed,
      isOpen: (address: string) => allowed.has(reachOf(address)),
    }));
    const { allowed, isOpen } = await this.#reach;
    const isPlain = url.protocol === plain && isThisMachine(bare(url.hostname)) && allowed.has('loopback');
    if (url.protocol !== secure && !isPlain) throw new OutsideError(`it must begin with ${secure}//.`);
    return isOpen;
  }

  #dispatcher(isOpen: IsOpen, OfUndici: typeof Agent): Agent {
    const { maxBytes = 2_000_000, lookup: byWhom } = this.#options;
    const known = this.#agents.get(isOpen);
    if (known) return known;
    const agent = new OfUndici({
      maxResponseSize: maxBytes,
      connect: { lookup: lookupWithin(isOpen, byWhom) },
    });
    this.#agents.set(isOpen, agent);
    return agent;
  }
}

function insideOf(networks: readonly string[]): { only: IsOpen; orPublic: IsOpen } {
  const inside = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) inside.addAddress(address, familyOf(address));
    else inside.addSubnet(address, Number(bits), familyOf(address));
  }
  const only: IsOpen = (address) => reachOf(address) !== 'never' && inside.check(address, familyOf(address));
  return { only, orPublic: (address) => reachOf(address) === 'public' || only(address) };
}

/**
 * What a server at this host name may read. Many machines call themselves by their public name at a loopback address
 * (`/etc/hosts`), so only a name that means this machine everywhere counts for that.
 */
async function reachesFrom(hostname: string): Promise<Set<Reach>> {
  const host = bare(hostname);
  if (isThisMachine(host)) return new Set(['public', 'private', 'loopback']);
  const own = await lookup(host, { all: true }).catch((): LookupAddress[] => []);
  const reaches = new Set(own.map(({ address }) => reachOf(address)));
  return new Set(reaches.has('private') ? ['public', 'private'] : ['public']);
}

function lookupWithin(isOpen: IsOpen, byWhom: LookupAll = dnsLookup): LookupFunction {
  return (hostname, options, callback) => {
    byWhom(hostname, { ...options, all: true }, (error, addresses) => {
      const good = (addresses as LookupAddress[] | undefined)?.filter(({ address }) => isOpen(address));
      const [first] = good ?? [];
      if (error) callback(error, '', 0);
      else if (!first) callback(new OutsideError(`${hostname} is not a public address.`), '', 0);
      else if (options.all) callback(null, good as LookupAddress[]);
      else callback(null, first.address, first.family);
    });
  };
}

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || (isIP(host) !== 0 && reachOf(host) === 'loopback');

/** `*.example.org` stands for all below `example.org`, and not for itself. */
const isAmong = (hosts: readonly string[], host: string): boolean =>
  hosts.some((one) => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : host === one));

export const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/** Why a machine was not reached, for the person who typed its address. */
export function wordsOf(error: unknown, host: string): string {
  const causes: unknown[] = [];
  for (let one = error; one instanceof Error && causes.length < 5; one = one.cause) causes.push(one);
  const known = causes.find((one) => one instanceof OutsideError);
  if (known instanceof OutsideError) return known.message;
  const codes: unknown[] = causes.flatMap((one) => [
    (one as NodeJS.ErrnoException).code,
    (one as Error).name,
  ]);
  if (codes.includes('ENOTFOUND')) return `there is no machine named ${host}.`;
  if (codes.includes('ECONNREFUSED')) return `${host} does not answer.`;
  if (codes.includes('TimeoutError') || codes.includes('ETIMEDOUT')) return `${host} did not answer in time.`;
  if (codes.includes('UND_ERR_RES_EXCEEDED_MAX_SIZE')) return 'the response is too large.';
  if (causes.some((one) => /redirect/i.test((one as Error).message)))
    return 'it leads to another address; enter that one.';
  if (codes.some((code) => /CERT|SSL|TLS|ALTNAME/.test(String(code))))
    return `the certificate of ${host} is not trusted.`;
  return `${host} could not be reached.`;
}
