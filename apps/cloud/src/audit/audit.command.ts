import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { Command, Say } from '../command-line/command.ts';
import { type ChainReport, verifyChains, verifyExport } from './audit.book.ts';
import { PROVIDER_LOG } from './audit.service.ts';
import type { AuditStore } from './audit.store.ts';

/** Follows every chain of the store and says how each fares; 1 when one is broken. */
export const auditVerify =
  (store: AuditStore): Command =>
  async (_args, say) => {
    const reports = await verifyChains(store);
    for (const report of reports) say(sentence(report));
    const broken = reports.filter(({ fault }) => fault !== null).length;
    say(
      broken === 0 ? 'Every audit log is whole.' : `${broken} of ${reports.length} audit logs are not whole.`,
    );
    return broken === 0 ? 0 : 1;
  };

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
