import { type FSWatcher, mkdirSync, watch } from 'node:fs';

/**
 * Reports which name in a folder changed, as soon as the system says so. Folders that cannot be watched (gone, too
 * many watches) are skipped; callers also look for changes now and then.
 */
export class DirectoryWatch {
  readonly #watchers = new Map<string, FSWatcher>();

  /** `onChange` gets the name in the folder, null when unknown, and whether a name came or went. */
  add(folder: string, onChange: (name: string | null, isNameChange: boolean) => void): void {
    if (this.#watchers.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, (type, name) => onChange(name, type === 'rename'));
      watcher.on('error', () => this.remove(folder));
      this.#watchers.set(folder, watcher);
    } catch {
      // Not watchable now; the slow look still finds its changes.
    }
  }

  remove(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  get folders(): string[] {
    return [...this.#watchers.keys()];
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }
}

/** Makes a folder for others to put things into, so that it can be watched from the start. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    // The code that reads it reports what is wrong.
  }
}
