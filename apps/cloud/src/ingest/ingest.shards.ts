import type { DeviceLink } from '@albedo/device-link/device-link';
import type { Logger } from 'pino';
import type { Ledger } from '../completeness/completeness.service.ts';
import type { ShardWork } from '../shards/shards.service.ts';
import type { Ingest } from './ingest.ts';

/** What happens when this process takes and gives shards: the order is what keeps events whole. */
export function shardWork(of: { link: DeviceLink; ledger: Ledger; ingest: Ingest; log: Logger }): ShardWork {
  const { link, ledger, ingest, log } = of;
  return {
    connect: async (place) => {
      await link.stop();
      await link.start(place);
    },
    isConnected: () => link.isConnected,
    // Repeats are known before the first message comes.
    load: (held) => ledger.take(held),
    open: (shards) => link.listen(shards),
    close: async (shards) => {
      await link.ignore(shards);
      await ingest.drain(shards);
      // What is not saved is found in the store, or comes again: it was not acknowledged.
      await ledger.checkpoint().catch((err) => log.warn({ err }, 'the ledger of shards was not saved'));
    },
    drop: (shards) => {
      void link.ignore(shards);
      ledger.drop(shards);
    },
  };
}
