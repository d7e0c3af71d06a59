import type {
  CommandOutcome,
  DeviceCommand,
  NewDeviceCommand,
} from '@albedo/contract/device-commands/device-commands.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { unlessTaken } from '@albedo/postgres/unless-taken';
import { and, asc, eq, lt } from 'drizzle-orm';
import { commandOutcomes, deviceCommands } from './device-commands.tables.ts';

export type Outcome = Omit<CommandOutcome, 'deviceId'>;

/** Outcomes are kept for so long, ms. */
const KEPT_MS = 30 * 86_400_000;

/** Saved commands and what came of their runs, in SQL. */
export class DeviceCommandsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** By name. */
  async list(workgroup: string): Promise<DeviceCommand[]> {
    const rows = await this.#postgres.db
      .select()
      .from(deviceCommands)
      .where(eq(deviceCommands.workgroup, workgroup))
      .orderBy(asc(deviceCommands.name));
    return rows.map(commandOf);
  }

  /** Undefined where there is none. */
  async get(workgroup: string, id: string): Promise<DeviceCommand | undefined> {
    const [row] = await this.#postgres.db.select().from(deviceCommands).where(one(workgroup, id));
    return row && commandOf(row);
  }

  /** Null where the name is taken. */
  async add(
    workgroup: string,
    deviceId: string | null,
    command: NewDeviceCommand,
  ): Promise<DeviceCommand | null> {
    const [row] =
      (await unlessTaken(
        this.#postgres.db
          .insert(deviceCommands)
          .values({ workgroup, deviceId, ...valuesOf(command) })
          .returning(),
        null,
      )) ?? [];
    return row ? commandOf(row) : null;
  }

  /** Null where the name is taken, undefined where there is none. */
  async update(
    workgroup: string,
    id: string,
    deviceId: string | null,
    command: NewDeviceCommand,
  ): Promise<DeviceCommand | null | undefined> {
    const rows = await unlessTaken(
      this.#postgres.db
        .update(deviceCommands)
        .set({ deviceId, ...valuesOf(command) })
        .where(one(workgroup, id))
        .returning(),
      null,
    );
    if (!rows) return null;
    return rows[0] && commandOf(rows[0]);
  }

  async remove(workgroup: string, id: string): Promise<void> {
    await this.#postgres.db.delete(deviceCommands).where(one(workgroup, id));
  }

  /** Notes whom a run is about; what is noted already stays. Older runs are forgotten. */
  async begin(workgroup: string, runId: string, deviceIds: readonly string[]): Promise<void> {
    const isOld = and(
      eq(commandOutcomes.workgroup, workgroup),
      lt(commandOutcomes.at, new Date(Date.now() - KEPT_MS)),
    );
    await this.#postgres.db.delete(commandOutcomes).where(isOld);
    const rows = deviceIds.map((deviceId) => ({ workgroup, runId, deviceId, state: 'waiting' as const }));
    await this.#postgres.db.insert(commandOutcomes).values(rows).onConflictDoNothing();
    // Sent by a process that is gone: it may have run, so it does not run again.
    const isCutOff = and(eq(commandOutcomes.runId, runId), eq(commandOutcomes.state, 'running'));
    await this.#postgres.db.update(commandOutcomes).set({ state: 'unknown' }).where(isCutOff);
  }

  async set(runId: string, deviceId: string, outcome: Partial<Outcome>): Promise<void> {
    const isMeant = and(eq(commandOutcomes.runId, runId), eq(commandOutcomes.deviceId, deviceId));
    await this.#postgres.db.update(commandOutcomes).set(outcome).where(isMeant);
  }

  async outcomes(workgroup: string, runId: string): Promise<CommandOutcome[]> {
    const isMeant = and(eq(commandOutcomes.workgroup, workgroup), eq(commandOutcomes.runId, runId));
    const rows = await this.#postgres.db.select().from(commandOutcomes).where(isMeant);
    return rows.map(({ workgroup: _workgroup, runId: _run, at: _at, ...outcome }) => outcome);
  }
}

const one = (workgroup: string, id: string) =>
  and(eq(deviceCommands.workgroup, workgroup), eq(deviceCommands.id, id));

const valuesOf = ({ name, description, command, parameters, timeoutS }: NewDeviceCommand) => ({
  name,
  description,
  command,
  parameters,
  timeoutS,
});

const commandOf = ({
  id,
  workgroup: _workgroup,
  deviceId,
  ...row
}: typeof deviceCommands.$inferSelect): DeviceCommand => ({
  _id: id,
  device: deviceId,
  ...row,
});
