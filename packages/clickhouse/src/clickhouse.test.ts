import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClickHouse, type ClickHouseAddress, connectClickHouse } from './client.ts';
import { type EmbeddedClickHouse, startEmbeddedClickHouse } from './embedded.ts';

/** What Albedo needs of ClickHouse; the embedded engine and a real server have to pass alike. */
function suite(name: string, start: () => Promise<{ address: ClickHouseAddress; stop(): Promise<void> }>) {
  describe(name, () => {
    let server: Awaited<ReturnType<typeof start>>;
    let clickhouse: ClickHouse;
    const db = `albedo_test_${process.pid}`;

    beforeAll(async () => {
      server = await start();
      clickhouse = connectClickHouse(server.address);
      await clickhouse.exec(`CREATE DATABASE IF NOT EXISTS ${db}`);
      await clickhouse.exec(
        `CREATE TABLE ${db}.t (k UInt32, v Nullable(Float64), s String) ENGINE = ReplacingMergeTree ORDER BY k
         SETTINGS non_replicated_deduplication_window = 100`,
      );
    });
    afterAll(async () => {
      await clickhouse?.exec(`DROP DATABASE ${db}`);
      await clickhouse?.close();
      await server?.stop();
    });

    const insert = (rows: object[], token?: string) =>
      clickhouse.insert(
        `INSERT INTO ${db}.t (k, v, s) FORMAT JSONEachRow`,
        Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
        token === undefined ? {} : { token },
      );
    const count = async (where: string) =>
      Number(
        (await clickhouse.query<{ n: string }>(`SELECT count() AS n FROM ${db}.t WHERE ${where}`))[0]?.n,
      );
    const failure = (promise: Promise<unknown>) =>
      promise.then(
        () => {
          throw new Error('it did not fail');
        },
        (error: Error & { code?: string; type?: string }) => error,
      );

    test('what was inserted comes back, as objects and as arrays', async () => {
      await insert([
        { k: 1, v: 1.5, s: "it's \\ \n \t ü 🌞" },
        { k: 2, v: null, s: '' },
      ]);
      const sql = `SELECT k, v, s FROM ${db}.t WHERE k <= 2 ORDER BY k`;
      expect(await clickhouse.query(sql)).toEqual([
        { k: 1, v: 1.5, s: "it's \\ \n \t ü 🌞" },
        { k: 2, v: null, s: '' },
      ]);
      expect(await clickhouse.queryRows(sql)).toEqual([
        [1, 1.5, "it's \\ \n \t ü 🌞"],
        [2, null, ''],
      ]);
    });

    test('a page knows how many rows there are before its limit', async () => {
      await insert([1, 2, 3, 4, 5].map((k) => ({ k: 7000 + k, v: k, s: 'page' })));
      const page = await clickhouse.queryPage(
        `SELECT k, v, s FROM ${db}.t FINAL WHERE s = 'page' ORDER BY k DESC LIMIT 2`,
      );
      expect(page).toEqual({
        rows: [
          [7005, 5, 'page'],
          [7004, 4, 'page'],
        ],
        total: 5,
      });
      expect(await clickhouse.queryPage(`SELECT k FROM ${db}.t WHERE s = 'none' LIMIT 2`)).toEqual({
        rows: [],
        total: 0,
      });
    });

    test('long values of any kind reach a statement whose answer is bytes, and one without an answer', async () => {
      const texts = [
        "it's",
        'a\\b',
        '\\N',
        'tab\t',
        '{p:UInt8}',
        ...Array.from({ length: 900 }, (_, i) => `text ${i}`),
      ];
      const params = { all: texts, one: texts.slice(0, 5).join('\\ '), numbers: [1, 2.5], n: 3 };
      const sql = `SELECT arrayJoin({all:Array(String)}), {one:String}, arrayMap(x -> x + {n:UInt8}, {numbers:Array(Float64)})`;
      const rows = await clickhouse.queryLists(sql, { texts: 2, lists: 1 }, { params });
      expect(rows.map((row) => row.texts[0])).toEqual(texts);
      expect(rows[0]?.texts[1]).toBe(params.one);
      expect([...(rows[0]?.lists[0] ?? [])]).toEqual([4, 5.5]);
      await clickhouse.exec(`INSERT INTO ${db}.t (k, s) SELECT 8000, arrayElement({all:Array(String)}, 2)`, {
        params,
      });
      expect(await count(`k = 8000 AND s = 'a\\\\b'`)).toBe(1);
    });

    test('lists of numbers come as they are, beside texts', async () => {
      const rows = await clickhouse.queryLists(
        `SELECT 'ü🌞', toString(number), arrayMap(i -> i + 0.1, range(number * 200)), [toFloat64(number), 1.7e308]
         FROM numbers(3)`,
        { texts: 2, lists: 2 },
      );
      expect(rows.map(({ texts }) => texts)).toEqual([
        ['ü🌞', '0'],
        ['ü🌞', '1'],
        ['ü🌞', '2'],
      ]);
      expect(rows.map(({ lists }) => lists[0]?.length)).toEqual([0, 200, 400]);
      expect(rows[2]?.lists[0]?.[399]).toBe(399.1);
      expect([...(rows[2]?.lists[1] ?? [])]).toEqual([2, 1.7e308]);
      expect(await clickhouse.queryLists('SELECT [1.5] WHERE 0', { texts: 0, lists: 1 })).toEqual([]);
      const failed = await failure(
        clickhouse.queryLists('SELECT [toFloat64(throwIf(number = 1))] FROM numbers(3)', {
          texts: 0,
          lists: 1,
        }),
      );
      expect(failed.code).toBe('395');
    });

    test('columns of numbers come as lists over all rows, however many blocks they come in', async () => {
      const sql = `SELECT toUInt32(number), number + 0.5, toUInt16(number % 1000) FROM numbers(200000)`;
      const [whole, half, short] = await clickhouse.queryColumns(sql, ['UInt32', 'Float64', 'UInt16']);
      expect([whole.length, half.length, short.length]).toEqual([200_000, 200_000, 200_000]);
      const order = Array.from(whole, (_, i) => i).sort((a, b) => (whole[a] ?? 0) - (whole[b] ?? 0));
      expect(order.every((at, i) => whole[at] === i && half[at] === i + 0.5 && short[at] === i % 1000)).toBe(
        true,
      );
      const none = await clickhouse.queryColumns('SELECT toFloat64(1) WHERE 0', ['Float64']);
      expect(none[0]).toHaveLength(0);
      await expect(clickhouse.queryColumns('SELECT 1', ['Float64'])).rejects.toThrow(
        'UInt8 in place of Float64',
      );
      const sqlOfFailure = 'SELECT toFloat64(throwIf(number = 1)) FROM numbers(3)';
      expect((await failure(clickhouse.queryColumns(sqlOfFailure, ['Float64']))).code).toBe('395');
    });

    test('parameters of every kind are values and never SQL', async () => {
      const text = `'; DROP TABLE ${db}.t; -- \\ " \` {x:String} \n\tü`;
      const [row] = await clickhouse.queryRows(
        'SELECT {text:String}, {int:UInt64}, {float:Float64}, {texts:Array(String)}, {none:Nullable(String)}, toString({at:DateTime64(3)}), {on:Bool}',
        {
          params: {
            text,
            int: 7,
            float: -1.25,
            texts: [text, 'b'],
            none: null,
            at: new Date(1_700_000_000_123),
            on: true,
          },
        },
      );
      expect(row).toEqual([text, '7', -1.25, [text, 'b'], null, '2023-11-14 22:13:20.123', true]);
      expect(
        await clickhouse.queryRows('SELECT {name:Identifier}.k FROM (SELECT 3 AS k) AS `a``b`', {
          params: { name: 'a`b' },
        }),
      ).toEqual([[3]]);
      expect((await failure(clickhouse.query('SELECT {gone:String}'))).message).toContain('gone');
    });

    test('parameters may be long', async () => {
      const texts = Array.from({ length: 20_000 }, (_, i) => `value '${i}' \r\n--x`);
      const [row] = await clickhouse.queryRows(
        'SELECT length({texts:Array(String)}), {texts:Array(String)}[20000]',
        {
          params: { texts },
        },
      );
      expect(row).toEqual(['20000', texts[19_999]]);
    });

    test('an exception carries its code and its type', async () => {
      expect(await failure(clickhouse.query(`SELECT * FROM ${db}.nowhere`))).toMatchObject({
        code: '60',
        type: 'UNKNOWN_TABLE',
      });
      expect(await failure(clickhouse.query('SELEC 1'))).toMatchObject({ code: '62', type: 'SYNTAX_ERROR' });
    });

    test('several statements in one text are refused', async () => {
      const error = await failure(clickhouse.exec(`SELECT 1; DROP TABLE ${db}.t`));
      expect(error).toMatchObject({ code: '62' });
      expect(await count('1')).toBeGreaterThanOrEqual(0);
    });

    test('a read can change nothing', async () => {
      for (const sql of [
        `DROP TABLE ${db}.t`,
        `INSERT INTO ${db}.t SELECT 1, 1, ''`,
        `TRUNCATE TABLE ${db}.t`,
      ]) {
        expect(await failure(clickhouse.query(sql))).toMatchObject({ code: '164' });
      }
    });

    test('settings hold for one statement and not for the next', async () => {
      const slow = 'SELECT max(sipHash64(number)) FROM numbers(20000000000)';
      expect(await failure(clickhouse.query(slow, { settings: { max_execution_time: 1 } }))).toMatchObject({
        code: '159',
      });
      const setting = "SELECT value FROM system.settings WHERE name = 'max_block_size'";
      expect(await clickhouse.queryRows(setting, { settings: { max_block_size: 77 } })).toEqual([['77']]);
      expect(await clickhouse.queryRows(setting)).not.toEqual([['77']]);
      expect(await failure(clickhouse.query('SELECT 1', { settings: { no_such_setting: 1 } }))).toMatchObject(
        {
          code: '115',
        },
      );
    });

    test('the same token stores a block once, and the next block without one is not dropped', async () => {
      await insert([{ k: 100, v: 1, s: 'first' }], 'token-1');
      await insert([{ k: 101, v: 1, s: 'repeat with other rows' }], 'token-1');
      await insert([{ k: 102, v: 1, s: 'no token' }]);
      await insert([{ k: 103, v: 1, s: 'no token either' }]);
      expect(await count('k BETWEEN 100 AND 103')).toBe(3);
    });

    test('one bad row refuses its whole block, unknown columns too', async () => {
      await failure(
        insert([
          { k: 200, v: 1, s: 'a' },
          { k: 'x', v: 1, s: 'b' },
        ]),
      );
      await failure(insert([{ k: 201, v: 1, s: 'a', extra: 1 }]));
      expect(await count('k BETWEEN 200 AND 299')).toBe(0);
    });

    test('a long answer arrives in pieces', async () => {
      let rows = 0;
      let pieces = 0;
      for await (const piece of clickhouse.stream<[string]>('SELECT number FROM numbers(500000)')) {
        pieces++;
        rows += piece.length;
      }
      expect(rows).toBe(500_000);
      expect(pieces).toBeGreaterThan(1);
    });

    test('an error in the middle of a stream is an error for its reader', async () => {
      const read = async () => {
        for await (const _ of clickhouse.stream('SELECT throwIf(number = 3000000) FROM numbers(4000000)'));
      };
      await expect(read()).rejects.toThrow();
    });

    test('a query ends on the server when its caller goes away', async () => {
      const controller = new AbortController();
      const mark = `mark_${process.pid}`;
      const running = async () =>
        Number(
          (
            await clickhouse.queryRows<[string]>(
              `SELECT count() FROM system.processes WHERE query LIKE '%sipHash64(number) AS ${mark}%' AND query NOT LIKE '%system.processes%'`,
            )
          )[0]?.[0],
        );
      const query = clickhouse.query(`SELECT max(sipHash64(number) AS ${mark}) FROM numbers(1000000000000)`, {
        signal: controller.signal,
      });
      const failed = failure(query);
      await expect.poll(running, { timeout: 10_000 }).toBe(1);
      controller.abort();
      await failed;
      await expect.poll(running, { timeout: 10_000 }).toBe(0);
    });

    test('who hangs up on a long answer leaves the place to the next, however often', async () => {
      const { url, username, password } = server.address;
      const query = 'SELECT number FROM system.numbers LIMIT 4000000 FORMAT JSONCompactEachRow';
      const auth = `${username}:${password}`;
      const hangUp = () =>
        new Promise<void>((resolve, reject) => {
          const asked = request(`${url}?wait_end_of_query=1`, { method: 'POST', auth });
          asked.on('error', reject);
          asked.on('response', (answer) => {
            // Nothing of it is read.
            answer.on('error', () => {});
            answer.on('close', resolve);
            answer.destroy();
          });
          asked.end(query);
        });
      for (let round = 0; round <= availableParallelism(); round++) await hangUp();
      expect(await clickhouse.query('SELECT 1 AS n')).toEqual([{ n: 1 }]);
    });

    test('short queries do not wait for a long one', async () => {
      const controller = new AbortController();
      const long = failure(
        clickhouse.query('SELECT max(sipHash64(number)) FROM numbers(1000000000000)', {
          signal: controller.signal,
        }),
      );
      expect(await clickhouse.queryRows('SELECT 1')).toEqual([[1]]);
      controller.abort();
      await long;
    });

    test('bodies are compressed both ways when the client asks for it', async () => {
      const client = createClient({
        url: server.address.url,
        ...(server.address.username ? { username: server.address.username } : {}),
        ...(server.address.password ? { password: server.address.password } : {}),
        compression: { request: true, response: true },
      });
      await client.insert({
        table: `${db}.t`,
        values: Array.from({ length: 1000 }, (_, k) => ({ k: 1000 + k, v: k, s: 'compressed' })),
        format: 'JSONEachRow',
      });
      const result = await client.query({
        query: `SELECT sum(v) AS sum FROM ${db}.t WHERE s = 'compressed'`,
        format: 'JSON',
      });
      expect((await result.json<{ sum: number }>()).data).toEqual([{ sum: 499_500 }]);
      await client.close();
    });

    test('the wrong password is refused', async () => {
      const stranger = connectClickHouse({ ...server.address, username: 'default', password: 'wrong' });
      expect(await failure(stranger.query('SELECT 1'))).toMatchObject({ code: '516' });
      await stranger.close();
    });
  });
}

suite('the embedded engine', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'albedo-clickhouse-'));
  const log = { info: () => {}, warn: () => {} };
  const embedded: EmbeddedClickHouse = await startEmbeddedClickHouse({ dataDir: folder, log });
  return {
    address: embedded,
    stop: async () => {
      await embedded.stop();
      rmSync(folder, { recursive: true });
    },
  };
});

const servedUrl = process.env.CLICKHOUSE_URL;
if (servedUrl)
  suite('the server of CLICKHOUSE_URL', async () => ({ address: { url: servedUrl }, stop: async () => {} }));
