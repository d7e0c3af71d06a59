import type { Readable } from 'node:stream';

/** Where backups lie. */
export interface BackupPlace {
  /** What people are told, without secrets. */
  label(name: string): string;
  /** The backup is there whole under its name, or not at all, whenever the process ends. */
  write(name: string, content: Readable): Promise<void>;
  /** Throws a sentence where there is none. */
  read(name: string): Promise<Readable>;
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
  close(): void;
}
