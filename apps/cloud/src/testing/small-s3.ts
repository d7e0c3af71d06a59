import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const XML = '<?xml version="1.0"?>';

/** The requests of S3 that Albedo makes, with its answers: objects, lists of them, and uploads in parts. */
export class SmallS3 {
  readonly objects = new Map<string, Buffer>();
  /** Uploads that have neither ended nor been given up. */
  readonly uploads = new Map<string, Map<number, Buffer>>();
  readonly #server: Server;
  #made = 0;

  constructor() {
    this.#server = createServer(async (request, response) => {
      if (!request.headers.authorization?.includes('Credential=key/')) {
        response.writeHead(403).end();
        return;
      }
      const url = new URL(request.url ?? '', 'http://s3');
      const body = await buffer(request).catch(() => null);
      // A sender that has gone has sent nothing.
      if (body) this.#answer(request.method ?? '', url, body, response);
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://key:s%2Fecret@127.0.0.1:${(this.#server.address() as AddressInfo).port}/bucket/below`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(method: string, { pathname, searchParams }: URL, body: Buffer, response: ServerResponse): void {
    const xml = (status: number, text: string) =>
      response.writeHead(status, { 'content-type': 'application/xml' }).end(XML + text);
    const upload = searchParams.get('uploadId');
    const parts = upload ? this.uploads.get(upload) : undefined;
    if (upload && !parts) xml(404, '<Error><Code>NoSuchUpload</Code></Error>');
    else if (method === 'PUT' && parts) {
      parts.set(Number(searchParams.get('partNumber')), body);
      response.writeHead(200, { etag: '"e"' }).end();
    } else if (method === 'PUT') {
      this.objects.set(pathname, body);
      response.writeHead(200, { etag: '"e"' }).end();
    } else if (method === 'POST' && upload && parts) {
      this.uploads.delete(upload);
      const inOrder = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part);
      this.objects.set(pathname, Buffer.concat(inOrder));
      xml(200, '<CompleteMultipartUploadResult><ETag>"e"</ETag></CompleteMultipartUploadResult>');
    } else if (method === 'POST') {
      const id = `u${++this.#made}`;
      this.uploads.set(id, new Map());
      xml(200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    } else if (method === 'DELETE') {
      if (upload) this.uploads.delete(upload);
      else this.objects.delete(pathname);
      response.writeHead(204).end();
    } else if (searchParams.has('list-type')) {
      const prefix = `${pathname.replace(/\/$/, '')}/${searchParams.get('prefix') ?? ''}`;
      const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix));
      const inside = keys.map(
        (key) => `<Contents><Key>${key.split('/').slice(2).join('/')}</Key></Contents>`,
      );
      xml(200, `<ListBucketResult><IsTruncated>false</IsTruncated>${inside.join('')}</ListBucketResult>`);
    } else {
      const found = this.objects.get(pathname);
      const missing = `${XML}<Error><Code>NoSuchKey</Code><Message>no</Message></Error>`;
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/xml' }).end(found ?? missing);
    }
  }
}
