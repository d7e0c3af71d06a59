import { type ExternalRun, externalSource } from '@albedo/contract/external-sources/external-sources.schema';
import { auditOf, type Reply, startTestCloud, type TestCloud } from './test-cloud.ts';

export const SOURCES = 'externalSources/main';

/** A cloud that reads external sources from servers on this machine, as its owner sets them up. */
export class SourceCloud {
  readonly #cloud: TestCloud;
  readonly #token: string;

  private constructor(cloud: TestCloud, token: string) {
    this.#cloud = cloud;
    this.#token = token;
  }

  static async start(): Promise<SourceCloud> {
    const cloud = await startTestCloud({ ALBEDO_OUTBOUND_NETWORKS: '127.0.0.0/8' });
    return new SourceCloud(cloud, await cloud.owner());
  }

  stop(): Promise<void> {
    return this.#cloud.stop();
  }

  ask(method: string, path: string, body?: unknown): Promise<Reply> {
    return this.#cloud.call(method, path, { token: this.#token, body });
  }

  /** The source as it is after one more run. */
  async run(id: string) {
    return externalSource.parse((await this.ask('POST', `${SOURCES}/${id}/run`, {})).body);
  }

  /** Newest first. */
  async runs(id: string): Promise<ExternalRun[]> {
    return (await this.ask('GET', `${SOURCES}/${id}/runs`)).body;
  }

  audit() {
    return auditOf(this.#cloud, 'main');
  }
}
