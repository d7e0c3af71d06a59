import classes from './map-view.module.css';
import type { MapPlace } from './position.ts';

/**
 * A place on its button: its name, its figure below, and how it is. The classes of the map stay, as they hold the button
 * at its place on Earth.
 */
export function writePlace(element: HTMLElement, { name, text, level }: MapPlace): void {
  element.classList.add(classes.place ?? '');
  element.replaceChildren(part('strong', name), ...(text ? [' ', part('span', text)] : []));
  element.dataset.level = level ?? '';
  // The map would call it a marker otherwise.
  element.setAttribute('aria-label', element.textContent);
}

function part(tag: 'strong' | 'span', text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}
