import type { ExportFile } from '../house/workgroup-part.ts';
import type { WholeWorkgroup } from './telemetry.reader.ts';

/** Characters of a file of events; one is in memory at a time. */
const FILE_SIZE = 4_000_000;

/** All events of a workgroup as `telemetry/<table>/<page>.ndjson`. */
export async function* exportedEvents(
  telemetry: WholeWorkgroup,
  signal: AbortSignal,
): AsyncGenerator<ExportFile> {
  for (const table of await telemetry.tables()) {
    let page = 0;
    let content = '';
    const file = () => ({ name: `telemetry/${encodeURIComponent(table)}/${page++}.ndjson`, content });
    for await (const events of telemetry.everything(table, signal)) {
      for (const event of events) content += `${JSON.stringify(event)}\n`;
      if (content.length < FILE_SIZE) continue;
      yield file();
      content = '';
    }
    if (content !== '') yield file();
  }
}
