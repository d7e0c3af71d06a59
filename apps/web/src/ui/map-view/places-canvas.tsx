import 'maplibre-gl/dist/maplibre-gl.css';
import { useComputedColorScheme } from '@mantine/core';
import { LngLatBounds, Map as MapLibre, Marker, NavigationControl } from 'maplibre-gl';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatWhole } from '../units/numbers.ts';
import { ClusteredPlaces } from './clustered-places.ts';
import { mapStyle } from './map-canvas.tsx';
import classes from './map-view.module.css';
import { writePlace } from './place-button.ts';
import { labelShiftPx, type MapPlace } from './position.ts';

/** Around the places, so that their names fit, px. */
const ROOM = { top: 64, bottom: 24, left: 84, right: 84 };

/** Up to so many each has its own button, also where they cover one another. */
const FEW = 100;

interface PlacesCanvasProps {
  places: readonly MapPlace[];
  label: string;
  onOpen: (id: string) => void;
  fallback: ReactNode;
}

export function PlacesCanvas({ places, label, onOpen, fallback }: PlacesCanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const markers = useRef(new Map<string, Marker>());
  const [map, setMap] = useState<MapLibre | null>(null);
  const [hasFailed, setFailed] = useState(false);
  const scheme = useComputedColorScheme('light');
  const { t } = useTranslation();
  const open = useEffectEvent(onOpen);
  const where = useMemo(
    () => places.map(({ id, longitude, latitude }) => `${id} ${longitude} ${latitude}`).join('\n'),
    [places],
  );
  const areFew = places.length <= FEW;
  const groupText = useEffectEvent((count: number) => t('map.group', { count, number: formatWhole(count) }));
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
        // So that it can be kept as a picture at any time.
        canvasContextAttributes: { preserveDrawingBuffer: true },
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
    if (!map || !areFew) return;
    const all = placesNow().map(({ id, latitude, longitude }) => {
      const element = document.createElement('button');
      element.type = 'button';
      element.addEventListener('click', () => open(id));
      const marker = new Marker({ element, anchor: 'bottom' }).setLngLat([longitude, latitude]).addTo(map);
      markers.current.set(id, marker);
      return marker;
    });
    const follow = () => keepInside(map, all);
    map.on('move', follow);
    return () => {
      map.off('move', follow);
      for (const marker of all) marker.remove();
      markers.current.clear();
    };
  }, [map, where, areFew]);

  const clusters = useRef<ClusteredPlaces>(null);
  useEffect(() => {
    if (!map || areFew) return;
    const made = new ClusteredPlaces(map, {
      drawPlace: writePlace,
      drawGroup: (element, { count, level }) => {
        element.classList.add(classes.place ?? '', classes.cluster ?? '');
        element.dataset.level = level ?? '';
        element.textContent = formatWhole(count);
        element.setAttribute('aria-label', groupText(count));
      },
      onOpen: (id) => open(id),
    });
    clusters.current = made;
    return () => {
      clusters.current = null;
      made.stop();
    };
  }, [map, areFew]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: where the places are is what changes.
  useEffect(() => {
    map?.fitBounds(boundsNow(), { padding: ROOM, maxZoom: 4.5, animate: false });
  }, [map, where]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: new markers are written on too.
  useEffect(() => {
    clusters.current?.set(places);
    for (const place of places) {
      const element = markers.current.get(place.id)?.getElement();
      if (element) writePlace(element, place);
    }
    if (map) keepInside(map, markers.current.values());
  }, [map, where, areFew, places]);

  if (hasFailed) return fallback;
  return <section ref={host} className={classes.map} style={{ height: '100%' }} aria-label={label} />;
}

/** Names of places near an edge of the map are moved, so that all of them can be read. */
function keepInside(map: MapLibre, markers: Iterable<Marker>): void {
  const { clientWidth } = map.getContainer();
  for (const marker of markers) {
    const { x } = map.project(marker.getLngLat());
    marker.setOffset([labelShiftPx(x, marker.getElement().offsetWidth, clientWidth), 0]);
  }
}

function boundsOf(places: readonly MapPlace[]): LngLatBounds {
  const bounds = new LngLatBounds();
  for (const { longitude, latitude } of places) bounds.extend([longitude, latitude]);
  return places.length === 0 ? new LngLatBounds([-120, -50], [150, 65]) : bounds;
}
