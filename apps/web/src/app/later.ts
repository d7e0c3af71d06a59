import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router';
import { type ComponentType, lazy } from 'react';
import type { Part, Places } from './feature.ts';
import { loadAllTexts } from './i18n.ts';
import { announced, openInside } from './inside.ts';

/** A component of a page that is light at first: it comes when it is needed, with the texts that the page left out. */
export const later = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazy(async () => ({ default: (await Promise.all([load(), loadAllTexts()]))[0] }));

/** What a feature announced for a place that takes one thing; a page of a route that waits for it, or like `later`. */
export const laterAt = <P extends PlaceOfOne>(place: P) => later(() => loadFrom(place));
export const screenAt = <P extends PlaceOfOne>(place: P) =>
  lazyRouteComponent(async () => ({ Content: await loadFrom(place) }), 'Content');

/** Places of components that stand alone. */
type PlaceOfOne = 'display' | 'frame' | 'home' | 'welcome' | 'mfaWizard';
type PropsAt<P extends PlaceOfOne> = Places[P] extends Part<infer Props> ? Props & object : never;

async function loadFrom<P extends PlaceOfOne>(place: P): Promise<ComponentType<PropsAt<P>>> {
  await openInside();
  const [first] = announced(place) as readonly Part<PropsAt<P>>[];
  if (!first) throw new Error(`Nothing stands at ${place}.`);
  await (first.Content as AsyncRouteComponent<PropsAt<P>>).preload?.();
  return first.Content;
}
