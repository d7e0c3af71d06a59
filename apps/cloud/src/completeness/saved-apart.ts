import { refusesData } from '@albedo/postgres/refuses-data';
import type { Checkpoint } from './completeness.store.ts';

export interface Saved {
  /** Shards that another process has taken. */
  lost: string[];
  /** Devices that were not saved, with the error of each. */
  refused: Map<string, unknown>;
}

type Save = (checkpoint: Checkpoint) => Promise<string[]>;

/**
 * Saves what is known of many devices, together where that can be. Where the database refuses them for what is in them, each half is
 * saved alone, and so on, until the devices that it does not take are known and all others are saved. Those that it refused
 * `before` come after the others. What is saved beside a device that is refused is exact only before `exactBefore`, epoch ms,
 * since that device is in no checkpoint after it. Errors: the database's, where it takes nothing at all.
 */
export async function saveApart(
  save: Save,
  checkpoint: Checkpoint,
  before: ReadonlySet<string>,
  exactBefore: number,
): Promise<Saved> {
  const careful = { ...checkpoint, savedAt: exactBefore };
  if (before.size === 0) return saveHalved(save, checkpoint, careful);
  const [refused, others] = divided(careful, before);
  return merged(await saveHalved(save, others, others), await saveHalved(save, refused, refused));
}

/** Halves of what is refused are saved as `careful` says it. */
async function saveHalved(save: Save, checkpoint: Checkpoint, careful: Checkpoint): Promise<Saved> {
  try {
    return { lost: await save(checkpoint), refused: new Map() };
  } catch (error) {
    const devices = devicesOf(checkpoint);
    const [only] = devices;
    if (!only || !refusesData(error)) throw error;
    if (devices.length === 1) return { lost: [], refused: new Map([[only, error]]) };
    const [one, other] = divided(careful, new Set(devices.slice(0, devices.length / 2)));
    return merged(await saveHalved(save, one, one), await saveHalved(save, other, other));
  }
}

/** A checkpoint of these devices, and one of all others. */
function divided(
  checkpoint: Checkpoint,
  devices: ReadonlySet<string>,
): [these: Checkpoint, others: Checkpoint] {
  const { states, gaps, setAside } = checkpoint;
  const part = (areMeant: boolean): Checkpoint => {
    const isIts = ({ device }: { device: string }) => devices.has(device) === areMeant;
    return {
      ...checkpoint,
      states: states.filter(isIts),
      gaps: gaps.filter(isIts),
      setAside: setAside.filter(isIts),
    };
  };
  return [part(true), part(false)];
}

const merged = (one: Saved, other: Saved): Saved => ({
  lost: [...new Set([...one.lost, ...other.lost])],
  refused: new Map([...one.refused, ...other.refused]),
});

export const devicesOf = ({ states, gaps, setAside }: Checkpoint): string[] => [
  ...new Set([...states, ...gaps, ...setAside].map(({ device }) => device)),
];
