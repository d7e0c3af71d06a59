import { createPrivateKey, generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { MqttConfig } from '../config/config.schema.ts';
import { messageOf } from '../log.ts';
import type { Root } from '../root.ts';

/** What the device shows the broker, and who that makes it. */
export interface Identity {
  ca: Buffer;
  cert: Buffer;
  key: Buffer;
  /** Common name of the certificate. */
  device: string;
  /** Serial number of the certificate, hexadecimal, lower case. */
  serial: string;
  /** `next` is on trial, with the one before it still there; `before` was the one until not long ago. */
  place: 'own' | 'next' | 'before';
}

/**
 * Certificate and key of the device on its disk. A new pair lies beside the old one (`.next`) until a broker has taken it, so
 * that whatever happens in between, one of both is whole. The old one then stays (`.before`) until the new one has proven itself.
 */
export class IdentityFiles {
  readonly #ca: string;
  readonly #cert: string;
  readonly #key: string;

  constructor(root: Root, mqtt: MqttConfig) {
    this.#ca = root.at(mqtt.cacertfile);
    this.#cert = root.at(mqtt.certfile);
    this.#key = root.at(mqtt.keyfile);
  }

  /**
   * The pair on trial where there is one and it is preferred; the other one else. With `wantsBefore` the one before that, if it
   * is still there and none is on trial. Throws what is wrong with the files.
   */
  read(preferNext: boolean, wantsBefore = false): Identity {
    const next = this.#next();
    if (next && (preferNext || !this.#isPair(this.#cert, this.#key))) return this.#identity(next, 'next');
    if (!next && (wantsBefore || !this.#isPair(this.#cert, this.#key)) && this.hasBefore)
      return this.#identity({ cert: before(this.#cert), key: before(this.#key) }, 'before');
    return this.#identity({ cert: this.#cert, key: this.#key }, 'own');
  }

  /** Whether there is still a whole pair that was the one before. */
  get hasBefore(): boolean {
    return this.#isPair(before(this.#cert), before(this.#key));
  }

  /** Whether a pair is on trial. */
  get hasNext(): boolean {
    return this.#next() !== null;
  }

  /** A new private key, which never leaves this disk; answers its public half, and a signature over `challenge` by it. */
  makeKey(challenge: string): { publicKey: string; signature: string } {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.discard();
    write(next(this.#key), privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    return {
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      signature: sign('sha256', Buffer.from(challenge), privateKey).toString('base64'),
    };
  }

  /** Puts a certificate for the key of `makeKey` on trial. Throws for one of another key or authority. */
  install(certPem: string): { device: string; serial: string } {
    const certificate = new X509Certificate(certPem);
    if (!existsSync(next(this.#key))) throw new Error('There is no new key that it could belong to.');
    if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(next(this.#key)))))
      throw new Error('The certificate belongs to another key.');
    const authorities = authoritiesIn(readFileSync(this.#ca, 'utf8'));
    if (!authorities.some((one) => certificate.verify(one.publicKey)))
      throw new Error('The certificate is of an authority that this device does not trust.');
    const device = commonName(certificate);
    if (!device) throw new Error('The certificate has no common name.');
    write(next(this.#cert), certPem);
    return { device, serial: certificate.serialNumber.toLowerCase() };
  }

  /** The pair on trial was taken: it is the one from now on, and the other one is kept for a while. */
  promote(): void {
    if (this.#isPair(this.#cert, this.#key)) {
      copyFileSync(this.#key, before(this.#key));
      copyFileSync(this.#cert, before(this.#cert));
    }
    // The key goes first. A certificate alone under `.next` is found with the key that it belongs to.
    if (existsSync(next(this.#key))) renameSync(next(this.#key), this.#key);
    if (existsSync(next(this.#cert))) renameSync(next(this.#cert), this.#cert);
    settle(dirname(this.#cert));
    settle(dirname(this.#key));
  }

  /** The pair before was taken where this one was not: it is the one again. */
  goBack(): void {
    // Copied: cut off anywhere, the pair before is still whole and is tried again.
    write(this.#key, readFileSync(before(this.#key), 'utf8'));
    write(this.#cert, readFileSync(before(this.#cert), 'utf8'));
    this.forgetBefore();
  }

  /** The pair has proven itself. */
  forgetBefore(): void {
    rmSync(before(this.#cert), { force: true });
    rmSync(before(this.#key), { force: true });
  }

  /** Forgets the pair on trial. */
  discard(): void {
    rmSync(next(this.#cert), { force: true });
    rmSync(next(this.#key), { force: true });
  }

  #next(): { cert: string; key: string } | null {
    const cert = next(this.#cert);
    if (!existsSync(cert)) return null;
    const key = [next(this.#key), this.#key].find((one) => this.#isPair(cert, one));
    return key === undefined ? null : { cert, key };
  }

  #isPair(cert: string, key: string): boolean {
    try {
      return new X509Certificate(readFileSync(cert)).checkPrivateKey(createPrivateKey(readFileSync(key)));
    } catch {
      return false;
    }
  }

  #identity(files: { cert: string; key: string }, place: Identity['place']): Identity {
    const cert = read(files.cert, 'mqtt.certfile');
    let certificate: X509Certificate;
    try {
      certificate = new X509Certificate(cert);
    } catch (error) {
      throw new Error(`${files.cert} is no certificate: ${messageOf(error)}`);
    }
    const device = commonName(certificate);
    if (!device)
      throw new Error(`the certificate ${files.cert} has no common name, which should be the device's id`);
    return {
      ca: read(this.#ca, 'mqtt.cacertfile'),
      cert,
      key: keyOf(certificate, files),
      device,
      serial: certificate.serialNumber.toLowerCase(),
      place,
    };
  }
}

/** The private key of the certificate. Throws for what is none, or another one's. */
function keyOf(certificate: X509Certificate, files: { cert: string; key: string }): Buffer {
  const key = read(files.key, 'mqtt.keyfile');
  let isIts: boolean;
  try {
    isIts = certificate.checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw new Error(`${files.key} is no private key: ${messageOf(error)}`);
  }
  if (!isIts) throw new Error(`${files.key} is not the key of the certificate ${files.cert}`);
  return key;
}

/** The device that a certificate is for. Throws for what is no certificate. */
export const nameIn = (certPem: string): string | undefined => commonName(new X509Certificate(certPem));

const next = (path: string): string => `${path}.next`;
const before = (path: string): string => `${path}.before`;

const commonName = (certificate: X509Certificate): string | undefined =>
  /^CN=(.+)$/m.exec(certificate.subject)?.[1];

const authoritiesIn = (text: string): X509Certificate[] =>
  (text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (pem) => new X509Certificate(pem),
  );

function read(file: string, key: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`the file of ${key} cannot be read: ${messageOf(error)}`);
  }
}

/** Written beside and renamed: a name never stands for half a file. */
function write(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  settle(dirname(path));
}

/** Makes renames in a folder last. */
function settle(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
