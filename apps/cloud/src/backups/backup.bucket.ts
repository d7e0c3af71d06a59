import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { CommandError } from '../command-line/command.ts';
import { type Bucket, bucketOf } from '../files/s3-address.ts';
import type { BackupPlace } from './backup.place.ts';

/** Backups in a bucket of S3 or of a server that speaks as it does. An upload that does not end is no object there. */
export class BucketPlace implements BackupPlace {
  readonly #client: S3Client;
  readonly #bucket: Bucket;
  readonly #origin: string;

  constructor(url: string) {
    this.#bucket = bucketOf(url);
    const { endpoint, region, credentials } = this.#bucket;
    this.#origin = endpoint ?? 's3:/';
    this.#client = new S3Client({
      region,
      ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
      ...(credentials ? { credentials } : {}),
      // Checksums that servers other than Amazon's may not know are left out; the backup has its own.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  label(name: string): string {
    return `${this.#origin}/${this.#bucket.name}/${this.#bucket.prefix}${name}`;
  }

  async write(name: string, content: Readable): Promise<void> {
    const upload = new Upload({
      client: this.#client,
      params: { ...this.#of(name), Body: content },
      leavePartsOnError: false,
    });
    // What cannot be made has to end the upload, too: the client waits for ever otherwise.
    const failed = new Promise<never>((_done, reject) => content.once('error', reject));
    try {
      await Promise.race([upload.done(), failed]);
    } catch (error) {
      await upload.abort().catch(() => {});
      content.destroy();
      throw error;
    }
  }

  async read(name: string): Promise<Readable> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand(this.#of(name)));
      return Body as Readable;
    } catch (error) {
      if (error instanceof NoSuchKey) throw new CommandError(`There is no ${this.label(name)}.`);
      throw error;
    }
  }

  async list(): Promise<string[]> {
    const { name, prefix } = this.#bucket;
    const names: string[] = [];
    let after: string | undefined;
    do {
      const page = await this.#client.send(
        new ListObjectsV2Command({ Bucket: name, Prefix: prefix, ContinuationToken: after }),
      );
      for (const { Key = '' } of page.Contents ?? []) names.push(Key.slice(prefix.length));
      after = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (after);
    return names;
  }

  async remove(name: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#of(name)));
  }

  close(): void {
    this.#client.destroy();
  }

  #of(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket.name, Key: this.#bucket.prefix + name };
  }
}
