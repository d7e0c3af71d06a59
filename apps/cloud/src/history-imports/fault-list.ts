import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { HistoryFault } from '@albedo/contract/history-imports/history-imports.schema';
import type { FileStore } from '../files/files.store.ts';

/** Faults that are shown with an import; the file has all. */
const SHOWN = 100;

/** What is wrong with the records of a file: the first of it in memory, all of it as CSV in the file store. */
export class FaultList {
  readonly #files: FileStore;
  readonly #key: string;
  readonly first: HistoryFault[] = [];
  #out: PassThrough | null = null;
  #kept: Promise<void> = Promise.resolve();

  constructor(files: FileStore, key: string) {
    this.#files = files;
    this.#key = key;
  }

  add(fault: HistoryFault): void {
    if (this.first.length < SHOWN) this.first.push(fault);
    if (!this.#out) {
      this.#out = new PassThrough();
      this.#kept = this.#files.put(this.#key, this.#out);
      this.#kept.catch(() => {});
      this.#out.write('line,reason,text\n');
    }
    this.#out.write(`${fault.line},${fault.reason},"${fault.text.replaceAll('"', '""')}"\n`);
  }

  /** Waits until what was added is on its way, so that it does not pile up. */
  async settle(): Promise<void> {
    if (this.#out?.writableNeedDrain) await Promise.race([once(this.#out, 'drain'), this.#kept]);
  }

  /** The file, where there is any fault. */
  async end() {
    if (!this.#out) return null;
    this.#out.end();
    await this.#kept;
    return this.#files.get(this.#key);
  }

  async abandon(): Promise<void> {
    this.#out?.destroy();
    await this.#kept.catch(() => {});
    await this.#files.remove(this.#key);
  }
}
