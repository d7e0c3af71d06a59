import { Agent } from 'node:https';
import type { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { checkedKey, type FileStore } from './files.store.ts';
import { type Bucket, bucketOf } from './s3-address.ts';

/** Files in a bucket of S3 or of a server that speaks as it does. */
export class S3Files implements FileStore {
  readonly #client: S3Client;
  readonly #bucket: Bucket;

  /** `ca`: the only authorities whose certificates the server may show, PEM; null for those of the system. */
  constructor(url: string, ca: string | null = null) {
    this.#bucket = bucketOf(url);
    const { endpoint, region, credentials } = this.#bucket;
    this.#client = new S3Client({
      region,
      ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
      ...(credentials ? { credentials } : {}),
      ...(ca === null ? {} : { requestHandler: { httpsAgent: new Agent({ ca, keepAlive: true }) } }),
      // Checksums that servers other than Amazon's may not know are left out.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  async put(key: string, bytes: Readable): Promise<void> {
    const upload = new Upload({
      client: this.#client,
      params: { ...this.#of(key), Body: bytes },
      leavePartsOnError: false,
    });
    try {
      await upload.done();
    } catch (error) {
      bytes.destroy();
      throw error;
    }
  }

  async get(key: string): Promise<Readable | null> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand(this.#of(key)));
      return (Body as Readable | undefined) ?? null;
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#of(key)));
  }

  stop(): void {
    this.#client.destroy();
  }

  #of(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket.name, Key: this.#bucket.prefix + checkedKey(key) };
  }
}
