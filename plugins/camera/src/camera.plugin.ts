import { join } from 'node:path';
import type { Arguments } from '@albedo/plugin-kit/command-line/arguments';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { type Log, messageOf } from '@albedo/plugin-kit/command-line/log';
import { plainText } from '@albedo/plugin-kit/fields/field-value';
import type { Act, Plugin, Reader } from '@albedo/plugin-kit/plugin';
import type { Column, PluginRecord } from '@albedo/plugin-kit/records/record';
import { Camera } from './camera.ts';
import { MOVES } from './moves.ts';
import { PhotoFolder } from './photo-folder.ts';
import type { Picture } from './picture.ts';

const TABLE = 'camera';
/** As sources of a configuration, and as one folder. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_ -]{0,59}$/u;

const COLUMNS: Column[] = [
  { name: 'Photo', type: 'keyword' },
  { name: 'Size', type: 'integer', units: 'B' },
  { name: 'Answer Time', type: 'integer', units: 'ms' },
];

/** `steer roof up-left`: what the cloud runs for whoever steers a camera from a screen. */
const steer: Act = {
  words: ['camera', 'action'],
  help: `moves a camera of a service, or takes a photo: ${MOVES.join(', ')}`,
  async run([name = '', action = ''], rows, signal) {
    const move = MOVES.find((one) => one === action);
    if (!move) throw new InputError(`action: "${action}" is none of ${MOVES.join(', ')}`);
    const row = rows.find(({ args }) => args.text('camera') === name);
    if (!row) {
      const known = rows.map(({ args }) => args.text('camera')).join(', ');
      throw new InputError(
        `no service of this device has a camera "${name}"${known && `; there are ${known}`}`,
      );
    }
    const { args } = row;
    const camera = new Camera(args);
    const settleS = args.number('settle');
    if (move !== 'photo') await camera.move(move, signal);
    if (move !== 'photo' && settleS === 0) return `${name}: ${move}`;
    const picture = await camera.shootAfter(move === 'photo' ? 0 : settleS, signal);
    return `${name}: ${move}, ${photosOf(args).add(picture, Date.now())}`;
  },
};

export const cameraPlugin: Plugin = {
  name: 'camera_albedo',
  summary: 'Takes photos with a camera of the network, and moves it.',
  positionals: ['endpoint', 'camera'],
  options: {
    user: { kind: 'text', default: '', help: 'name to sign in with (basic or digest)' },
    password: { kind: 'secret', default: '', help: 'password of that user' },
    profile: { kind: 'text', default: '', help: 'profile of an ONVIF camera; else the first that moves' },
    move_url: {
      kind: 'text',
      default: '',
      help: 'address that moves a camera without ONVIF, with {action}, {pan} and {tilt}',
    },
    speed: {
      kind: 'decimal',
      default: 0.5,
      min: 0.05,
      max: 1,
      help: 'of a move, as a share of its full speed',
    },
    step: { kind: 'decimal', default: 0.5, min: 0.1, max: 10, help: 'how long one move lasts, seconds' },
    settle: {
      kind: 'decimal',
      default: 2,
      min: 0,
      max: 30,
      help: 'pause before the photo that follows a move, seconds; 0 takes none',
    },
    keep: { kind: 'integer', default: 50, min: 1, max: 10_000, help: 'photos that stay on the device' },
    timeout: {
      kind: 'decimal',
      default: 10,
      min: 0.1,
      max: 300,
      help: 'longest wait for an answer, seconds',
    },
    max_size: { kind: 'decimal', default: 16, min: 0.01, max: 16, help: 'largest photo, MB' },
    fingerprint: {
      kind: 'text',
      default: '',
      help: 'SHA-256 of the certificate that the camera has signed itself',
    },
  },
  package: {
    name: 'camera',
    title: 'Camera',
    labels: ['computer-vision'],
    arguments: {
      endpoint: { default: 'onvif://', help: 'onvif://10.0.0.7, or the address of its picture' },
      camera: { help: 'what people call it; photos have it as their source' },
      source_map: { type: 'sourceMap', directory: '/opt/albedo/plugins-config/source-maps' },
    },
  },
  open: (args, log) => new CameraReader(args, log),
  browse,
  acts: { steer },
};

class CameraReader implements Reader {
  readonly #camera: Camera;
  readonly #name: string;
  readonly #log: Log;
  /** Null for `discover`, which writes nothing. */
  readonly #photos: PhotoFolder | null;

  constructor(args: Arguments, log: Log) {
    this.#name = nameOf(args);
    this.#camera = new Camera(args);
    this.#log = log;
    this.#photos = args.text('output_directory') === '' ? null : photosOf(args);
  }

  async *read(signal: AbortSignal, failed: (error: Error) => void): AsyncGenerator<PluginRecord> {
    const beganAt = performance.now();
    let picture: Picture;
    try {
      picture = await this.#camera.shoot(signal);
    } catch (error) {
      failed(new Error(`${this.#name}: ${plainText(messageOf(error)).slice(0, 300)}`));
      return;
    }
    const tookMs = Math.round(performance.now() - beganAt);
    const at = Date.now();
    const name = this.#photos?.add(picture, at) ?? `(${picture.kind})`;
    this.#log.info(`${this.#name}: ${name}, ${picture.bytes.length} bytes`);
    yield {
      table: TABLE,
      source: [this.#name],
      about: [['Moves', this.#camera.isMovable ? MOVES.join(', ') : 'photo']],
      columns: COLUMNS,
      values: [name, picture.bytes.length, tookMs],
      at,
    };
  }

  async close(): Promise<void> {}
}

/** What an ONVIF camera offers, and what the configuration of the agent needs so that photos arrive. */
async function* browse(args: Arguments, _log: Log, signal: AbortSignal): AsyncGenerator<string> {
  const camera = new Camera(args);
  const facts = await camera.onvif?.facts(signal);
  if (facts) {
    yield `# ${plainText(`${facts.maker} ${facts.model}`).trim()}, profiles ${plainText(facts.profiles.join(', '))}`;
    yield facts.isMovable ? '# It can be moved.' : '# It cannot be moved.';
  }
  const { kind } = await camera.shoot(signal);
  const folder = photosOf(args, '/opt/albedo/logs').path;
  yield `watch:\n  - table: photos\n    source: ${nameOf(args)}\n    file: ${folder}/*.${kind}\n    send_file: true`;
}

function nameOf(args: Arguments): string {
  const name = args.text('camera');
  if (!NAME.test(name))
    throw new InputError(`camera: "${name.slice(0, 80)}" is no name of letters, digits, blanks and hyphens`);
  return name;
}

/** Beside what is captured of the camera, where plugins may write anyway. */
const photosOf = (args: Arguments, directory = args.text('output_directory')): PhotoFolder =>
  new PhotoFolder(join(directory, TABLE, nameOf(args), 'photos'), args.number('keep'));
