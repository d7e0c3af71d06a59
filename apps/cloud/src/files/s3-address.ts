/** What an `S3_URL` names. */
export interface Bucket {
  name: string;
  /** Put in front of every key; empty, or ends with `/`. */
  prefix: string;
  region: string;
  /** Null for Amazon's own. */
  endpoint: string | null;
  /** Null: taken from where Amazon's programs look for them. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
}

/**
 * `s3://bucket/prefix?region=eu-central-1` for Amazon's S3, `https://key:secret@host/bucket/prefix` for a server that
 * speaks as it does. Throws without a bucket.
 */
export function bucketOf(text: string): Bucket {
  const url = new URL(text);
  const isAmazon = url.protocol === 's3:';
  const path = url.pathname.split('/').filter(Boolean).map(decodeURIComponent);
  const name = isAmazon ? url.hostname : path.shift();
  if (!name) throw new Error('The address names no bucket.');
  const [accessKeyId, secretAccessKey] = [url.username, url.password].map(decodeURIComponent);
  return {
    name,
    prefix: path.map((one) => `${one}/`).join(''),
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint: isAmazon ? null : url.origin,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
  };
}

export function isBucket(text: string): boolean {
  try {
    return bucketOf(text).name !== '';
  } catch {
    return false;
  }
}
