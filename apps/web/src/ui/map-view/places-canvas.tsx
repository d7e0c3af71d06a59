import 'maplibre-gl/dist/maplibre-gl.css';
import { useComputedColorScheme } from '@mantine/core';
import { LngLatBounds, Map as MapLibre, Marker, NavigationControl } from 'maplibre-gl';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { mapStyle } from './map-canvas.tsx';
import classes from './map-view.module.css';
import type { MapPlace } from './position.ts';

/** Around the places, so that their names fit, px. */
const ROOM = { top: 64, bottom: 24, left: 84, right: 84 };

interface PlacesCanvasProps {
  places: readonly MapPlace[];
  label: string;
  onOpen: (id: string) => void;
  fallback: ReactNode;
}

export function PlacesCanvas({ places, label, onOpen, fallback }: PlacesCanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const markers = useRef(new Map<string, HTMLElement>());
  const [map, setMap] = useState<MapLibre | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const scheme = useComputedColorScheme('light');
  const open = useEffectEvent(onOpen);
  const where = places.map(({ id, longitude, latitude }) => `${id} ${longitude} ${latitude}`).join('\n');
  const boundsNow = useEffectEvent(() => boundsOf(places));

  useEffect(() => {
    if (!host.current) return;
    let made: MapLibre;
    try {
      made = new MapLibre({
        container: host.current,
        style: mapStyle(scheme),
        bounds: boundsNow(),
        fitBoundsOptions: { padding: ROOM, maxZoom: 4.5 },
        maxZoom: 9,
        attributionControl: false,
        dragRotate: false,
        cooperativeGestures: true,
      });
    } catch {
      // The context was refused although the browser has WebGL; the words stand in for the map.
      setFailed(true);
      return;
    }
    made.addControl(new NavigationControl({ showCompass: false }), 'top-right');
    setMap(made);
    return () => {
      setMap(null);
      made.remove();
    };
  }, [scheme]);

  const placesNow = useEffectEvent(() => places);
  // biome-ignore lint/correctness/useExhaustiveDependencies: where the places are is what changes.
  useEffect(() => {
    if (!map) return;
    const all = placesNow().map(({ id, latitude, longitude }) => {
      const element = document.createElement('button');
      element.type = 'button';
      element.className = classes.place ?? '';
      element.addEventListener('click', () => open(id));
      markers.current.set(id, element);
      return new Marker({ element, anchor: 'bottom' }).setLngLat([longitude, latitude]).addTo(map);
    });
    map.fitBounds(boundsNow(), { padding: ROOM, maxZoom: 4.5, animate: false });
    return () => {
      for (const marker of all) marker.remove();
      markers.current.clear();
    };
  }, [map, where]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: new markers are written on too.
  useEffect(() => {
    for (const { id, name, text, level } of places) {
      const element = markers.current.get(id);
      if (!element) continue;
      element.replaceChildren(part('strong', name), ...(text ? [' ', part('span', text)] : []));
      element.dataset.level = level ?? '';
      // The map would call it a marker otherwise.
      element.setAttribute('aria-label', element.textContent);
    }
  }, [map, where, places]);

  if (hasFailed) return fallback;
  return <section ref={host} className={classes.map} style={{ height: '100%' }} aria-label={label} />;
}

function part(tag: 'strong' | 'span', text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function boundsOf(places: readonly MapPlace[]): LngLatBounds {
  const bounds = new LngLatBounds();
  for (const { longitude, latitude } of places) bounds.extend([longitude, latitude]);
  return places.length === 0 ? new LngLatBounds([-120, -50], [150, 65]) : bounds;
}
