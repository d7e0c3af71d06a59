import { createHash, randomUUID } from 'node:crypto';
import type { StatusMessage } from '@albedo/contract/link/link.messages';
import type { WaitingPhoto } from '@albedo/contract/photos/photos.schema';
import { BytesAnswer, connectAgent, type FakeAgent } from './fake-agent.ts';
import { greyPicture } from './grey-picture.ts';
import type { TestCloud } from './test-cloud.ts';

/** A photo that waits on a device, and what it sends for it. */
export interface TakenPhoto extends WaitingPhoto {
  bytes: Uint8Array;
}

export function takePhoto(of: Partial<TakenPhoto> = {}): TakenPhoto {
  const bytes = of.bytes ?? greyPicture();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const plain = { table: 'photos', source: 'roof', file: 'a.png', takenAt: Date.now() };
  return { id: randomUUID(), ...plain, size: bytes.length, sha256, ...of, bytes };
}

/** A device with a camera. */
export interface TestCamera {
  agent: FakeAgent;
  waiting: TakenPhoto[];
  /** Tells the cloud that photos wait. */
  tell(): Promise<void>;
}

/** Connects a device of the workgroup whose photos wait, until the cloud has each of them, or wants it no more. */
export async function connectCamera(
  cloud: Pick<TestCloud, 'cloud'>,
  { workgroup = 'main', name = 'Camera', photos = [] as TakenPhoto[], read = readWhole } = {},
): Promise<TestCamera> {
  const waiting = [...photos];
  const answers = (kind: string, input: { id: string; from: number; ids: string[] }): unknown => {
    if (kind === 'photos.list') return { photos: waiting.map(({ bytes: _bytes, ...photo }) => photo) };
    if (kind === 'photos.read')
      return read(
        waiting.find(({ id }) => id === input.id),
        input.from,
      );
    if (kind !== 'photos.forget') throw new Error(`not asked in this test: ${kind}`);
    for (const id of input.ids) {
      const at = waiting.findIndex((one) => one.id === id);
      if (at >= 0) waiting.splice(at, 1);
    }
    return {};
  };
  const agent = await connectAgent(cloud, workgroup, name, { answers });
  const tell = () =>
    agent.publish('status', {
      ...{ version: '1', outbox: 'one', os: null, sourceLastDataAt: null, pendingEvents: 0, pendingBytes: 0 },
      ...{
        outboxLimitBytes: 1000,
        unreadBytes: 0,
        droppedEvents: 0,
        lastMsgId: 0,
        streams: [],
        at: Date.now(),
      },
      photos: { count: waiting.length, bytes: 1, dropped: 0 },
    } satisfies StatusMessage);
  return { agent, waiting, tell };
}

export function readWhole(photo: TakenPhoto | undefined, from: number): unknown {
  if (!photo) throw new Error('there is no such photo');
  return new BytesAnswer(photo.bytes.subarray(from), { bytes: photo.bytes.length });
}
