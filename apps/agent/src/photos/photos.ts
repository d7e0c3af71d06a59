import { join } from 'node:path';
import type { Log } from '../log.ts';
import type { Faults } from '../outbox/faults.ts';
import type { Sink } from '../outbox/sink.ts';
import type { Root } from '../root.ts';
import { PhotoShelf } from './photo-shelf.ts';

/** Photos that follow one another closely are told of together, ms. */
const TELL_MS = 500;

/** Photos that wait for the cloud. What has to make room is a gap of its stream, and noted as a fault. */
export function openPhotos(of: {
  root: Root;
  limitBytes: number;
  log: Log;
  sink: Sink;
  faults: Faults;
  /** Tells the cloud that there are some. */
  tell: () => void;
}): PhotoShelf {
  const { root, limitBytes, log, sink, faults, tell } = of;
  const shelf = new PhotoShelf({ directory: join(root.stateDirectory, 'photos'), limitBytes, log });
  let isToTell = false;
  shelf.onKept = () => {
    if (isToTell) return;
    isToTell = true;
    setTimeout(() => {
      isToTell = false;
      tell();
    }, TELL_MS).unref();
  };
  shelf.onDropped = ({ table, source, file }) => {
    sink.append({ captures: [], lost: { table, source } });
    const message = `${file} was dropped: more photos wait than photos: limit_mb allows`;
    faults.report({ table, source, scenario: 'photos', column: '', message, line: '' });
  };
  return shelf;
}
