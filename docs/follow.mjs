/**
 * Follows a table without gaps and without repeats, also while devices hand in what they measured days ago. Plain Node 20
 * or newer. From the command line it prints each new record as a line of JSON and begins where it stopped the last time:
 *
 *   ALBEDO_URL=https://albedo.example.org ALBEDO_TOKEN=… node follow.mjs <workgroup> <table> [file of the state]
 *
 * Two columns make it possible: `store_time`, when the cloud stored a record, and `msg_id`, which no two events of a
 * device share. From `OWN_NUMBERS` on it is one of the cloud, for imports, external sources and calculations: there a
 * record is known by its source and instant too, and what corrects it is a new record. What is asked is always "everything
 * that was stored since", so it does not matter how old an event is. A batch may become visible a little later than one
 * that was stored after it, so each question goes back by `OVERLAP_MS`, and what is known is left out.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** Records can become visible so much later than they were stored. */
const OVERLAP_MS = 120_000;
const ROWS = 10_000;
const OWN_NUMBERS = 2 ** 52;

/**
 * The records that are new since the last call. `state` is what the call before left (`{}` at first): keep it as JSON
 * once the records are safe on your side, and a crash in between loses nothing.
 *
 * Throws when the server does not answer; call again with the same state.
 */
export async function nextRecords({ url, token, workgroup, table, since }, state = {}) {
  const from =
    state.storedAt === undefined ? since : new Date(Date.parse(state.storedAt) - OVERLAP_MS).toISOString();
  const query = new URLSearchParams({ sort: 'store_time', rows: String(ROWS), scroll: 'true' });
  if (from !== undefined)
    query.append('filters', JSON.stringify({ field: 'store_time', operator: '>=', value: from }));
  const base = `${url}/api/v1/tables/${encodeURIComponent(workgroup)}/${encodeURIComponent(table)}/search`;
  const known = new Map(Object.entries(state.known ?? {}));
  const records = [];
  let storedAt = state.storedAt;
  let page = await get(`${base}?${query}`, token);
  while (true) {
    for (const record of page.records) {
      const key = keyOf(record);
      if (!known.has(key)) records.push(record);
      known.set(key, record.store_time);
      if (storedAt === undefined || record.store_time > storedAt) storedAt = record.store_time;
    }
    if (page.scroll_id === undefined) break;
    page = await get(`${base}/scroll?scroll_id=${encodeURIComponent(page.scroll_id)}`, token);
  }
  return { records, state: { storedAt, known: Object.fromEntries(withinReach(known, storedAt)) } };
}

/** Names a record: two with the same name are one that was said twice. */
function keyOf({ device, msg_id: number, source, event_time: at, store_time: storedAt }) {
  return JSON.stringify(number < OWN_NUMBERS ? [device, number] : [device, number, source, at, storedAt]);
}

/** What the next question may answer once more. */
function withinReach(known, storedAt) {
  if (storedAt === undefined) return known;
  const from = new Date(Date.parse(storedAt) - OVERLAP_MS).toISOString();
  return [...known].filter(([, at]) => at >= from);
}

async function get(address, token) {
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  const body = await response.json();
  if (!response.ok) throw new Error(`${response.status}: ${body.message}`);
  return body;
}

async function main(
  [workgroup, table, file = `${table}.state.json`],
  { ALBEDO_URL, ALBEDO_TOKEN, EVERY_S = '300' },
) {
  const of = { url: ALBEDO_URL, token: ALBEDO_TOKEN, workgroup, table };
  let state = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  while (true) {
    const next = await nextRecords(of, state);
    for (const record of next.records) console.log(JSON.stringify(record));
    await writeFile(`${file}.new`, JSON.stringify(next.state));
    await rename(`${file}.new`, file);
    state = next.state;
    await sleep(Number(EVERY_S) * 1000);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await main(process.argv.slice(2), process.env);
