import type { Feature, Places } from './feature.ts';

let load: () => Promise<readonly Feature[]> = async () => [];
let features: readonly Feature[] = [];
let opening: Promise<readonly Feature[]> | null = null;
let placed = new Map<keyof Places, unknown>();

/** Says where the features come from. They are not loaded before somebody wants to see more than the public pages. */
export function provideFeatures(loader: typeof load): void {
  load = loader;
  opening = null;
}

/** Loads the features once; after a failure the next caller tries again. Errors: when they cannot be loaded. */
export function openInside(): Promise<readonly Feature[]> {
  opening ??= load().then(take);
  opening.catch(() => {
    opening = null;
  });
  return opening;
}

/** Whether the screens behind sign-in are known yet. */
export const isInside = (): boolean => features.length > 0;

/** What stands in a place, in order: the same list each time. Nothing before `openInside`. */
export function announced<P extends keyof Places>(place: P): readonly Places[P][] {
  const known = placed.get(place) as readonly Places[P][] | undefined;
  if (known) return known;
  const found = features
    .flatMap(({ parts }): readonly Places[P][] => parts?.[place] ?? [])
    .toSorted((a, b) => a.at - b.at);
  placed.set(place, found);
  return found;
}

function take(loaded: readonly Feature[]): readonly Feature[] {
  features = loaded;
  placed = new Map();
  return loaded;
}
