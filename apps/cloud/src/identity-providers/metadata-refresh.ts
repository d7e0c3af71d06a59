import type { Logger } from 'pino';
import { z } from 'zod';
import type { SamlConfig } from '../database/identity-providers.tables.ts';
import { AppError } from '../errors/app-error.ts';
import { defineJob, type Job } from '../jobs/job.ts';
import type { IdentityProvidersStore, ProviderRow } from './identity-providers.store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Metadata that is older is read again, so that none in use is older than a day. */
const LIFE_MS = 20 * HOUR_MS;
/** Between two tries at an address, over all processes: of the look, and of a sign-in that was refused. */
const RETRY_MS = { look: HOUR_MS, refused: MINUTE_MS };
const SIDE_BY_SIDE = 5;

export interface MetadataRefreshOptions {
  store: IdentityProvidersStore;
  /** Throws `AppError` with what is wrong. */
  read: (metadataUrl: string) => Promise<SamlConfig>;
  log: Logger;
}

/**
 * Reads the metadata of identity providers again, beside the sign-ins: none of them waits for an address that does not
 * answer. What was read last stays good until there is something newer.
 */
export class MetadataRefresh {
  readonly #options: MetadataRefreshOptions;

  constructor(options: MetadataRefreshOptions) {
    this.#options = options;
  }

  /** The look, as a job. */
  job(): Job<Record<string, never>> {
    return defineJob({
      name: 'identity-providers-metadata',
      payload: z.object({}),
      limitS: 600,
      retry: { times: 0, afterS: 0, atMostS: 0 },
      oneAtATime: { key: () => 'all', waiting: 'one' },
      schedule: { cron: '7,22,37,52 * * * *', zone: 'UTC', payload: {} },
      run: () => this.look(),
    });
  }

  /** Reads what is old, but no address that was tried a short time ago. */
  async look(now = new Date()): Promise<void> {
    const { store } = this.#options;
    const due = await store.claimOld(now, ago(now, LIFE_MS), ago(now, RETRY_MS.look));
    while (due.length > 0)
      await Promise.all(due.splice(0, SIDE_BY_SIDE).map((row) => this.#refresh(row, now)));
  }

  /**
   * What the provider says of itself now, after an answer of it was refused: it may have changed its certificate. Null
   * where that is nothing new, or was asked a moment ago.
   */
  async afterRefusal(row: ProviderRow, now = new Date()): Promise<SamlConfig | null> {
    const claimed = await this.#options.store.claimRefresh(row.id, now, ago(now, RETRY_MS.refused));
    const config = claimed ? await this.#refresh(claimed, now) : null;
    return config && JSON.stringify(config) !== JSON.stringify(row.config) ? config : null;
  }

  async #refresh({ id, config }: ProviderRow, now: Date): Promise<SamlConfig | null> {
    const { store, read, log } = this.#options;
    if (config.kind !== 'saml' || config.metadataUrl === null) return null;
    try {
      const next = await read(config.metadataUrl);
      if (next.entityId !== config.entityId) throw new OtherProvider(next.entityId);
      await store.refresh(id, next, now);
      return next;
    } catch (error) {
      if (!(error instanceof AppError || error instanceof OtherProvider)) throw error;
      log.info({ provider: id, reason: error.message }, 'metadata could not be refreshed');
      await store.refreshFailed(id, error.message);
      return null;
    }
  }
}

/** Whom to believe is a matter for an owner. */
class OtherProvider extends Error {
  constructor(entityId: string) {
    super(`The address now has the metadata of another provider: ${entityId}.`);
  }
}

const ago = (now: Date, ms: number): Date => new Date(now.getTime() - ms);
