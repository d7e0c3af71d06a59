import { DirectoryWatch, makeFolder } from '../changes/directory-watch.ts';
import type { ServiceFileFacts, ServiceFiles } from './service-files.ts';

const LOOK_MS = 30_000;
/** Whoever writes a file may do so in several steps, ms. */
const SETTLE_MS = 500;

/** A service file that is new or other than it was; null where it is gone. */
export interface ChangedFile {
  name: string;
  file: ServiceFileFacts | null;
}

/** Notices what people and programs of the device do to service files. What the agent does itself it tells by `know`. */
export class ServiceWatch {
  readonly #files: ServiceFiles;
  readonly #onChange: (changed: ChangedFile) => Promise<void>;
  readonly #watch = new DirectoryWatch();
  #known = new Map<string, string>();
  #timer: NodeJS.Timeout | null = null;
  #settle: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();

  constructor(files: ServiceFiles, onChange: (changed: ChangedFile) => Promise<void>) {
    this.#files = files;
    this.#onChange = onChange;
  }

  start(): void {
    this.#known = stampsOf(this.#files.list());
    makeFolder(this.#files.folder);
    this.#watch.add(this.#files.folder, () => {
      this.#settle ??= setTimeout(() => {
        this.#settle = null;
        this.#look();
      }, SETTLE_MS);
    });
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    if (this.#settle) clearTimeout(this.#settle);
    this.#watch.close();
  }

  /** The file of this name is as the agent wants it now. */
  know(name: string): void {
    const file = this.#files.find(name);
    if (file) this.#known.set(name, stampOf(file));
    else this.#known.delete(name);
  }

  #look(): void {
    const files = new Map(this.#files.list().map((file) => [file.name, file]));
    const changed = [...files.values()].filter((file) => this.#known.get(file.name) !== stampOf(file));
    const gone = [...this.#known.keys()].filter((name) => !files.has(name));
    this.#known = stampsOf(files.values());
    for (const one of [...changed, ...gone]) {
      const change = typeof one === 'string' ? { name: one, file: null } : { name: one.name, file: one };
      this.#looking = this.#looking.then(() => this.#onChange(change));
    }
  }
}

const stampOf = ({ isDisabled, text }: ServiceFileFacts): string => `${isDisabled}\n${text}`;

const stampsOf = (files: Iterable<ServiceFileFacts>): Map<string, string> =>
  new Map([...files].map((file) => [file.name, stampOf(file)]));
