import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { Command, Say } from '../command-line/command.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { type ChainReport, verifyChains, verifyExport } from './audit.book.ts';
import { type CopyReport, verifyCopies } from './audit.copy.ts';
import { PROVIDER_LOG } from './audit.service.ts';
import type { AuditStore } from './audit.store.ts';

/**
 * Follows every chain of the store and says how each fares, then compares what people search with it; 1 when something is
 * wrong. Without a telemetry store, which a server at rest has not opened, the chains alone are looked at.
 */
export const auditVerify =
  (store: AuditStore, telemetry: Telemetry | null): Command =>
  async (_args, say) => {
    const reports = await verifyChains(store);
    for (const report of reports) say(sentence(report));
    const seen = new Set(reports.map(({ workgroup }) => workgroup));
    const broken = new Set(reports.filter(({ fault }) => fault !== null).map(({ workgroup }) => workgroup));
    if (!telemetry) say('The searchable copy was not looked at: the server does not run.');
    else
      for await (const copy of verifyCopies(store, telemetry)) {
        seen.add(copy.workgroup);
        const faults = faultsOf(copy);
        if (faults.length === 0) continue;
        say(`${nameOf(copy.workgroup)}: the searchable copy is NOT THE SAME, ${faults.join('; ')}`);
        broken.add(copy.workgroup);
      }
    say(
      broken.size === 0
        ? `Every audit log is whole${telemetry ? ', and so is its searchable copy' : ''}.`
        : `${broken.size} of ${seen.size} audit logs are not whole.`,
    );
    return broken.size === 0 ? 0 : 1;
  };

const faultsOf = ({ isForeign, changed, missing, extra }: CopyReport): string[] => [
  ...(isForeign ? ['no entry stands behind its rows'] : []),
  ...(changed.length > 0 ? [`${changed.length} rows were changed (${few(changed)})`] : []),
  ...(missing.length > 0 ? [`${missing.length} entries have no row (${few(missing)})`] : []),
  ...(extra.length > 0 ? [`${extra.length} rows have no entry (${few(extra)})`] : []),
];

const few = (numbers: readonly number[]): string =>
  `${numbers
    .toSorted((a, b) => a - b)
    .slice(0, 10)
    .join(', ')}${numbers.length > 10 ? ', …' : ''}`;

/** Looks at an export: `--file export.ndjson [--key public-key.pem]`; null where no file is named. */
export async function auditVerifyFile(args: readonly string[], say: Say): Promise<number | null> {
  const { values } = parseArgs({
    args: [...args],
    options: { file: { type: 'string' }, key: { type: 'string' } },
  });
  if (values.file === undefined) return null;
  const key = values.key === undefined ? null : await readFile(values.key, 'utf8');
  // Read at once: lines that nobody waits for are lost.
  const lines = createInterface({ input: createReadStream(values.file) });
  const read = await verifyExport(lines, key);
  if ('fault' in read) {
    say(`${values.file} is not whole: ${read.fault}.`);
    return 1;
  }
  const { workgroup, entries, head, at } = read.seal;
  say(`${values.file}: ${nameOf(workgroup)}, ${entries} entries, newest ${head}, signed ${at}.`);
  say(key === null ? 'It is signed by the key that it names itself.' : 'It is signed by this key.');
  return 0;
}

const nameOf = (workgroup: string): string => (workgroup === PROVIDER_LOG ? 'the provider' : workgroup);

const sentence = ({ workgroup, entries, head, fault }: ChainReport): string =>
  fault === null
    ? `${nameOf(workgroup)}: ${entries} entries, newest ${head || 'none'}`
    : `${nameOf(workgroup)}: NOT WHOLE, ${fault}`;
