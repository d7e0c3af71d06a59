// The library resolves its parts through decorator metadata, so this import has to come first.
import 'reflect-metadata';
import { createHash, randomBytes, sign, verify, webcrypto, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { join } from 'node:path';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
  X509CrlGenerator,
  X509CrlReason,
  X509Certificate as X509Parsed,
} from '@peculiar/x509';
import { type CertificateFacts, certificateFacts } from './certificate.ts';
import { type KeyPairPem, readKeyPair, type Sealing, UNSEALED, writeKeyPair } from './key-files.ts';

// The library takes the web's own type of Crypto, which Node's has all members of.
cryptoProvider.set(webcrypto as unknown as Parameters<typeof cryptoProvider.set>[0]);

const DAY_MS = 86_400_000;
/** What signs programs. */
const RELEASES = {
  commonName: 'Albedo releases',
  name: 'urn:albedo:releases',
  usage: ExtendedKeyUsage.codeSigning,
} as const;
const CURVE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Life of the certificate authority, and of the certificates of the server, of a device and of what signs. */
export const VALIDITY_MS = {
  authority: 7300 * DAY_MS,
  server: 825 * DAY_MS,
  device: 730 * DAY_MS,
  signer: 825 * DAY_MS,
} as const;
/** A server certificate with less life than this is renewed. */
export const RENEW_BEFORE_MS = 60 * DAY_MS;
/** Clocks of devices run a little behind; a certificate is already good for them. */
const BACKDATE_MS = DAY_MS;

export interface IssuedCertificate extends CertificateFacts {
  certPem: string;
  keyPem: string;
}

export interface Revoked {
  /** As `CertificateFacts.serial`. */
  serial: string;
  /** Epoch ms. */
  revokedAt: number;
  /** It may be good again later. */
  isOnHold?: boolean;
}

/**
 * The certificate authority of one installation. Everything it made for itself lies in its folder: `ca.pem` and
 * `server.pem`, key and certificate each, mode 0600. Device keys are handed out and never kept.
 */
export class Authority {
  /** Certificate of the authority, PEM: what both sides of the device link trust. */
  readonly caPem: string;
  readonly #folder: string;
  readonly #sealing: Sealing;
  readonly #key: webcrypto.CryptoKey;
  readonly #certificate: X509Parsed;

  /** @param key the authority's private key */
  constructor(folder: string, caPem: string, key: webcrypto.CryptoKey, sealing: Sealing = UNSEALED) {
    this.#folder = folder;
    this.#sealing = sealing;
    this.#key = key;
    this.caPem = caPem;
    this.#certificate = new X509Parsed(caPem);
  }

  /** Names the installation by the key of its authority, which all of its processes have: 32 hexadecimal digits. */
  get name(): string {
    const key = new X509Certificate(this.caPem).publicKey.export({ type: 'spki', format: 'der' });
    return createHash('sha256').update(key).digest('hex').slice(0, 32);
  }

  /**
   * Certificate of the server for these host names and addresses: the kept one while it covers exactly them and is not
   * near its end, otherwise a new one.
   */
  async serverCertificate(hosts: readonly string[], now = Date.now()): Promise<IssuedCertificate> {
    const kept = await readKeyPair(this.#folder, 'server', this.#sealing);
    if (kept && isWhole(kept, this.caPem) && isGoodFor(kept.certPem, hosts, now)) {
      return { ...kept, ...certificateFacts(kept.certPem) };
    }
    const made = await this.#issue({
      subject: [{ CN: [hosts[0] ?? 'localhost'] }],
      names: new SubjectAlternativeNameExtension(
        hosts.map((host) => ({ type: isIP(host) ? ('ip' as const) : ('dns' as const), value: host })),
      ),
      usage: ExtendedKeyUsage.serverAuth,
      notBefore: now - BACKDATE_MS,
      notAfter: now + VALIDITY_MS.server,
    });
    await writeKeyPair(this.#folder, 'server', made, this.#sealing);
    return made;
  }

  /**
   * A new key and certificate of a device: common name = device, organisation = workgroup. The caller must revoke
   * the earlier one.
   */
  issueDevice(
    device: string,
    workgroup: string,
    { now = Date.now(), validityMs = VALIDITY_MS.device as number } = {},
  ): Promise<IssuedCertificate> {
    return this.#issue(ofDevice(device, workgroup, now, validityMs));
  }

  /** As `issueDevice`, for a key that the device made itself and keeps: PEM, on the curve P-256. Throws for any other. */
  async certifyDevice(
    device: string,
    workgroup: string,
    publicKeyPem: string,
    now = Date.now(),
  ): Promise<CertificateFacts & { certPem: string }> {
    const [der] = PemConverter.decode(publicKeyPem);
    if (!der) throw new Error('the key of the device is not PEM');
    const publicKey = await webcrypto.subtle.importKey('spki', der, CURVE, true, ['verify']);
    return this.#certify(ofDevice(device, workgroup, now, VALIDITY_MS.device), publicKey);
  }

  /**
   * Signs what devices run: ECDSA over SHA-256, base64, by a key of its own whose certificate is good for nothing else.
   * It is kept in `release.pem` and renewed as that of the server is.
   */
  async signRelease(text: string, now = Date.now()): Promise<{ signature: string; certificate: string }> {
    const { keyPem, certPem } = await this.#signer('release', RELEASES, now);
    return { signature: sign('sha256', Buffer.from(text), keyPem).toString('base64'), certificate: certPem };
  }

  /**
   * Key and certificate of what signs orders to devices, good for this use alone (dotted OID). Kept in `control.pem` and
   * renewed as that of the server is.
   */
  controlSigner(commonName: string, usage: string, now = Date.now()): Promise<KeyPairPem> {
    const name = `urn:albedo:${commonName}`;
    return this.#signer('control', { commonName, name, usage: usage as ExtendedKeyUsage }, now);
  }

  async #signer(
    file: 'release' | 'control',
    { commonName, name, usage }: { commonName: string; name: string; usage: ExtendedKeyUsage },
    now: number,
  ): Promise<KeyPairPem> {
    const kept = await readKeyPair(this.#folder, file, this.#sealing);
    const isGood =
      kept && isWhole(kept, this.caPem) && certificateFacts(kept.certPem).notAfter - now > RENEW_BEFORE_MS;
    if (isGood) return kept;
    const made = await this.#issue({
      subject: [{ CN: [commonName] }],
      names: new SubjectAlternativeNameExtension([{ type: 'url', value: name }]),
      usage,
      notBefore: now - BACKDATE_MS,
      notAfter: now + VALIDITY_MS.signer,
    });
    await writeKeyPair(this.#folder, file, made, this.#sealing);
    return made;
  }

  /** Certificate revocation list, PEM, as TLS servers read it. */
  async revocationList(revoked: readonly Revoked[], now = Date.now()): Promise<string> {
    const crl = await X509CrlGenerator.create({
      issuer: this.#certificate.subject,
      thisUpdate: new Date(now - BACKDATE_MS),
      // A list past this date makes TLS refuse everybody; each start and each revocation makes a new one.
      nextUpdate: new Date(now + VALIDITY_MS.authority),
      entries: revoked.map(({ serial, revokedAt, isOnHold }) => ({
        serialNumber: serial,
        revocationDate: new Date(revokedAt),
        ...(isOnHold && { reason: X509CrlReason.certificateHold }),
      })),
      signingAlgorithm: CURVE,
      signingKey: this.#key,
    });
    // OpenSSL knows the block only by this name.
    return PemConverter.encode(crl.rawData, 'X509 CRL');
  }

  async #issue(request: CertificateRequest): Promise<IssuedCertificate> {
    const keys = await newKeys();
    return { ...(await this.#certify(request, keys.publicKey)), keyPem: await keyPem(keys.privateKey) };
  }

  async #certify(
    request: CertificateRequest,
    publicKey: webcrypto.CryptoKey,
  ): Promise<CertificateFacts & { certPem: string }> {
    const certificate = await X509CertificateGenerator.create({
      serialNumber: randomSerial(),
      subject: request.subject,
      issuer: this.#certificate.subject,
      notBefore: new Date(request.notBefore),
      notAfter: new Date(Math.min(request.notAfter, this.#certificate.notAfter.getTime())),
      publicKey,
      signingKey: this.#key,
      signingAlgorithm: CURVE,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([request.usage]),
        request.names,
        await SubjectKeyIdentifierExtension.create(publicKey),
        await AuthorityKeyIdentifierExtension.create(this.#certificate),
      ],
    });
    const certPem = certificate.toString('pem');
    return { certPem, ...certificateFacts(certPem) };
  }
}

function isGoodFor(certPem: string, hosts: readonly string[], now: number): boolean {
  const certificate = new X509Certificate(certPem);
  const names = certificate.subjectAltName?.split(', ') ?? [];
  const covers = (host: string) =>
    isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host, { wildcards: false });
  return (
    certificate.validToDate.getTime() - now > RENEW_BEFORE_MS &&
    names.length === hosts.length &&
    hosts.every(covers)
  );
}

/** Whether key and certificate are what they were: a bit that the disk has flipped leaves them readable, and nobody trusts them. */
function isWhole({ certPem, keyPem }: KeyPairPem, issuerPem: string): boolean {
  const probe = randomBytes(16);
  try {
    const certificate = new X509Certificate(certPem);
    return (
      certificate.verify(new X509Certificate(issuerPem).publicKey) &&
      verify('sha256', probe, certificate.publicKey, sign('sha256', probe, keyPem))
    );
  } catch {
    // What cannot even be read is not whole.
    return false;
  }
}

interface CertificateRequest {
  subject: { [part: string]: string[] }[];
  names: SubjectAlternativeNameExtension;
  usage: ExtendedKeyUsage;
  notBefore: number;
  notAfter: number;
}

const ofDevice = (
  device: string,
  workgroup: string,
  now: number,
  validityMs: number,
): CertificateRequest => ({
  subject: [{ CN: [device] }, { O: [workgroup] }],
  names: new SubjectAlternativeNameExtension([{ type: 'url', value: `urn:albedo:device:${device}` }]),
  usage: ExtendedKeyUsage.clientAuth,
  notBefore: Math.min(now, now + validityMs) - BACKDATE_MS,
  notAfter: now + validityMs,
});

/**
 * The authority of a folder; made, with the folder, at the first call. Throws for a damaged one: a new authority beside it would
 * lock out every device.
 */
export async function openAuthority(
  folder: string,
  { now = Date.now(), sealing = UNSEALED }: { now?: number; sealing?: Sealing } = {},
): Promise<Authority> {
  const kept = await readKeyPair(folder, 'ca', sealing);
  if (kept && !isWhole(kept, kept.certPem))
    throw new Error(
      `${join(folder, 'ca.pem')} is damaged: its key and its certificate do not fit each other; put it back from a backup`,
    );
  if (kept) return new Authority(folder, kept.certPem, await importKey(kept.keyPem), sealing);
  const pair = await makeAuthority(now);
  await writeKeyPair(folder, 'ca', pair, sealing);
  return new Authority(folder, pair.certPem, await importKey(pair.keyPem), sealing);
}

/** Key and certificate of a new authority. */
export async function makeAuthority(now = Date.now()): Promise<KeyPairPem> {
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: randomSerial(),
    // The random part tells installations apart where somebody trusts several.
    name: [{ CN: [`Albedo device authority ${randomBytes(4).toString('hex')}`] }],
    notBefore: new Date(now - BACKDATE_MS),
    notAfter: new Date(now + VALIDITY_MS.authority),
    keys,
    signingAlgorithm: CURVE,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certPem: certificate.toString('pem'), keyPem: await keyPem(keys.privateKey) };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(CURVE, true, ['sign', 'verify']);
}

/** 16 bytes, positive and without a leading zero byte, so that every tool prints the same digits. */
function randomSerial(): string {
  const bytes = randomBytes(16);
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f);
  return bytes.toString('hex');
}

async function keyPem(key: webcrypto.CryptoKey): Promise<string> {
  return PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const [der] = PemConverter.decode(pem);
  if (!der) throw new Error('the key of the certificate authority is not PEM');
  return webcrypto.subtle.importKey('pkcs8', der, CURVE, false, ['sign']);
}
