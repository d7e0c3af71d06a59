import { expect, it } from 'vitest';
import { writePlace } from './place-button.ts';

it('a place that is written on again stays a marker of the map, which holds it where it is on Earth', () => {
  const element = document.createElement('button');
  element.className = 'maplibregl-marker maplibregl-marker-anchor-bottom';
  const place = { id: 'riverside', name: 'Riverside works', latitude: 39.68, longitude: -104.91 };
  writePlace(element, { ...place, text: '38 kW', level: 'ok' });
  writePlace(element, { ...place, text: '40 kW', level: 'danger' });
  expect(element.classList).toContain('maplibregl-marker');
  expect(element.classList).toContain('maplibregl-marker-anchor-bottom');
  expect(element.getAttribute('aria-label')).toBe('Riverside works 40 kW');
  expect(element.dataset.level).toBe('danger');
});
