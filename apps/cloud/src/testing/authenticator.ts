import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 } as const;

/** What may be wrong with an answer. */
export interface Wrong {
  origin?: string;
  rpId?: string;
  challenge?: string;
  counter?: number;
  /** Signs with another key. */
  key?: KeyObject;
}

/** A security key with one passkey, as WebAuthn describes it (P-256, no attestation). */
export class Authenticator {
  readonly id = randomBytes(16);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  readonly #rpId: string;
  counter = 0;

  constructor(origin: string, rpId = 'localhost') {
    this.#origin = origin;
    this.#rpId = rpId;
  }

  create(options: { challenge: string }, wrong: Wrong = {}) {
    const clientData = this.#clientData('webauthn.create', options.challenge, wrong);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, this.#cose()]);
    const flags = FLAGS.present | FLAGS.verified | FLAGS.attested;
    const authData = Buffer.concat([this.#head(flags, wrong), credential]);
    const attestation = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]) as never,
    );
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: Buffer.from(attestation).toString('base64url'),
      transports: ['usb'],
      // As browsers give them beside.
      publicKeyAlgorithm: -7,
      publicKey: this.#keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64url'),
      authenticatorData: authData.toString('base64url'),
    });
  }

  get(options: { challenge: string }, wrong: Wrong = {}) {
    this.counter += 1;
    const clientData = this.#clientData('webauthn.get', options.challenge, wrong);
    const authData = this.#head(FLAGS.present | FLAGS.verified, wrong);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, wrong.key ?? this.#keys.privateKey).toString('base64url'),
    });
  }

  #answer<T extends object>(response: T) {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string, wrong: Wrong): Buffer {
    const origin = wrong.origin ?? this.#origin;
    return Buffer.from(JSON.stringify({ type, challenge: wrong.challenge ?? challenge, origin }));
  }

  #head(flags: number, wrong: Wrong): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(wrong.counter ?? this.counter);
    const rpIdHash = createHash('sha256')
      .update(wrong.rpId ?? this.#rpId)
      .digest();
    return Buffer.concat([rpIdHash, Buffer.from([flags]), counter]);
  }

  #cose(): Uint8Array {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
    const entries: [number, number | Uint8Array][] = [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ];
    return isoCBOR.encode(new Map(entries) as never);
  }
}
