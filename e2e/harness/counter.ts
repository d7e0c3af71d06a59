import { expect } from 'vitest';
import { until } from './processes.ts';
import type { Cloud, EdgeAgent } from './product.ts';

const HEADER = 'Datetime(date),count(integer)';
const AT = { table: 'counter', source: 'pump', field: 'count' };

/** What an agent counts into a log file, one number a line: what is lost or doubled on the way shows in the store. */
export class Counter {
  readonly #cloud: Cloud;
  readonly #agent: EdgeAgent;
  readonly #wg: string;
  #written = 0;

  constructor(cloud: Cloud, agent: EdgeAgent, wg: string) {
    this.#cloud = cloud;
    this.#agent = agent;
    this.#wg = wg;
  }

  write(lines: number): void {
    for (let line = 0; line < lines; line++)
      this.#agent.write(AT.table, AT.source, HEADER, `${new Date().toISOString()},${++this.#written}`);
  }

  /** What both programs said, for a test that waits in vain. */
  readonly output = () => `${this.#cloud.program.output}\n${this.#agent.program.output}`;

  /** Each number is stored, and once. */
  async isStored(): Promise<void> {
    const stored = () => this.#cloud.stored({ ...AT, wg: this.#wg, device: this.#agent.device.id });
    await until(
      'everything is stored',
      100,
      async () => (await stored()).length >= this.#written,
      this.output,
    );
    expect(await stored()).toEqual(Array.from({ length: this.#written }, (_, index) => index + 1));
  }

  /** The ledger has each number as captured and stored, and nothing else of this stream. */
  async isInLedger(): Promise<void> {
    const ledger = await until(
      'the ledger has it',
      60,
      async () => {
        const { streams, gaps } = await this.#cloud.completeness(this.#wg, this.#agent.device.id);
        const counter = streams.find(({ table }) => table === AT.table);
        return counter?.captured === this.#written && counter.stored >= this.#written && { counter, gaps };
      },
      this.output,
    );
    expect(ledger.counter).toMatchObject({ stored: this.#written, dropped: 0, setAside: 0 });
    expect(ledger.gaps).toEqual([]);
  }
}
