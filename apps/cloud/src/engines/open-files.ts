import { join } from 'node:path';
import { type FileStore, FolderFiles } from '../files/files.store.ts';
import type { Shutdown } from '../house/shutdown.ts';

/** The bucket of `s3Url`, otherwise the folder `files` of the data folder. */
export async function openFiles(of: {
  s3Url: string | null;
  /** The only authorities whose certificates its server may show, PEM. */
  ca: string | null;
  dataDir: string;
  shutdown: Shutdown;
}): Promise<FileStore> {
  if (of.s3Url === null) return FolderFiles.open(join(of.dataDir, 'files'));
  // Loaded only where it is used: it is large.
  const { S3Files } = await import('../files/files.s3.ts');
  const files = new S3Files(of.s3Url, of.ca);
  of.shutdown.add('files', async () => files.stop());
  return files;
}
