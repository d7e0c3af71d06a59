import { type ComponentType, lazy } from 'react';

/** A view that is loaded when a board first shows it. */
export const lazyView = <N extends string, M extends Record<N, ComponentType<never>>>(
  load: () => Promise<M>,
  name: N,
): M[N] => lazy(async () => ({ default: (await load())[name] as ComponentType })) as unknown as M[N];
