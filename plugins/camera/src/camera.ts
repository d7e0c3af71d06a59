import { setTimeout as sleep } from 'node:timers/promises';
import type { Arguments } from '@albedo/plugin-kit/command-line/arguments';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { CameraHttp, plainFingerprint } from './camera-http.ts';
import type { Account } from './http-auth.ts';
import { DIRECTIONS, isStep, type Move, moveAddress } from './moves.ts';
import { OnvifCamera } from './onvif.ts';
import { type Picture, pictureOf } from './picture.ts';

const SERVICE = '/onvif/device_service';

/** One camera, as the arguments name it: the address of its picture, or one that speaks ONVIF. */
export class Camera {
  readonly #http: CameraHttp;
  readonly #picture: URL | null;
  readonly #moveUrl: string;
  readonly #speed: number;
  readonly #stepS: number;
  readonly onvif: OnvifCamera | null;

  /** Throws `InputError`. */
  constructor(args: Arguments) {
    const { url, isOnvif } = endpointOf(args.text('endpoint'));
    const [user, password] = [args.text('user'), args.text('password')];
    const account: Account | null = user === '' ? null : { user, password };
    const fingerprint = plainFingerprint(args.text('fingerprint'));
    if (!/^(?:[0-9a-f]{64})?$/.test(fingerprint))
      throw new InputError('fingerprint: it is a SHA-256, 64 hexadecimal digits');
    this.#http = new CameraHttp({
      account,
      fingerprint,
      timeoutMs: args.number('timeout') * 1000,
      mostBytes: args.number('max_size') * 1_000_000,
    });
    this.#moveUrl = args.text('move_url');
    if (this.#moveUrl !== '') placeOf(moveAddress(this.#moveUrl, 'up'), 'move_url', url);
    this.#picture = isOnvif ? null : url;
    this.onvif = isOnvif ? new OnvifCamera(url, args.text('profile'), this.#http, account) : null;
    [this.#speed, this.#stepS] = [args.number('speed'), args.number('step')];
  }

  get isMovable(): boolean {
    return this.onvif !== null || this.#moveUrl !== '';
  }

  /** Rejects where the camera gives none. */
  async shoot(signal: AbortSignal): Promise<Picture> {
    const url = this.#picture ?? (await this.onvif?.snapshot(signal));
    if (!url) throw new Error('the camera names no address of its picture');
    const { status, body } = await this.#http.ask({ url }, signal);
    if (status !== 200) throw new Error(`HTTP ${status}`);
    return pictureOf(body);
  }

  /** Resolves when the camera has taken the order, and for a step when it has stopped again. */
  async move(move: Exclude<Move, 'photo'>, signal: AbortSignal): Promise<void> {
    if (this.#moveUrl !== '') {
      const url = new URL(moveAddress(this.#moveUrl, move), this.#picture ?? undefined);
      const { status } = await this.#http.ask({ url }, signal);
      if (status < 200 || status > 299) throw new Error(`HTTP ${status}`);
    } else if (!this.onvif) {
      throw new Error('the camera cannot be moved: it has no move_url');
    } else if (isStep(move)) {
      await this.onvif.move(DIRECTIONS[move], this.#speed, this.#stepS, signal);
    } else {
      await this.onvif.home(signal);
    }
  }

  /** What a move leaves behind: the picture that shows where it looks now, once it stands still. */
  async shootAfter(settleS: number, signal: AbortSignal): Promise<Picture> {
    await sleep(settleS * 1000, undefined, { signal });
    return this.shoot(signal);
  }
}

function endpointOf(text: string): { url: URL; isOnvif: boolean } {
  const [, isOnvif, isSecure, rest] = /^(?:(onvif)|http)(s?):\/\/(.+)$/.exec(text) ?? [];
  const url = rest === undefined ? null : URL.parse(`http${isSecure}://${rest}`);
  if (!url?.hostname)
    throw new InputError(
      `endpoint: "${text.slice(0, 200)}" is not of the form http://10.0.0.5/snapshot.jpg or onvif://10.0.0.5`,
    );
  if (url.username !== '' || url.password !== '')
    throw new InputError('endpoint: user and password are arguments of their own');
  if (isOnvif && url.pathname === '/') url.pathname = SERVICE;
  return { url, isOnvif: isOnvif !== undefined };
}

/** The password goes to the camera alone. */
function placeOf(text: string, name: string, camera: URL): void {
  const url = URL.parse(text, camera.href);
  if (url?.hostname !== camera.hostname || !/^https?:$/.test(url.protocol))
    throw new InputError(`${name}: it is an address of the camera itself, ${camera.hostname}`);
}
