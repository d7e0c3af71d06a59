import 'maplibre-gl/dist/maplibre-gl.css';
import { useComputedColorScheme } from '@mantine/core';
import {
  Map as MapLibre,
  Marker,
  NavigationControl,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import topology from 'world-atlas/countries-110m.json';
import { fitLand } from './fit-land.ts';
import classes from './map-view.module.css';
import type { MapPosition } from './position.ts';
import { worldShapes } from './world.ts';

setWorkerUrl(workerUrl);

const COLOURS = {
  light: { sea: '#e4ebee', land: '#fbfcfa', border: '#b9c1b6' },
  dark: { sea: '#10151a', land: '#262c27', border: '#4a534a' },
} as const;

interface MapCanvasProps {
  position: MapPosition;
  label: string;
  height: number;
  fallback: ReactNode;
}

export function MapCanvas({ position, label, height, fallback }: MapCanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const [hasFailed, setFailed] = useState(false);
  const scheme = useComputedColorScheme('light');
  const { latitude, longitude } = position;

  useEffect(() => {
    if (!host.current) return;
    let map: MapLibre;
    try {
      map = new MapLibre({
        container: host.current,
        style: mapStyle(scheme),
        ...viewOf({ latitude, longitude }, host.current.clientWidth || 320, height),
        maxZoom: 7,
        attributionControl: false,
        dragRotate: false,
        cooperativeGestures: true,
      });
    } catch {
      // The context was refused although the browser has WebGL; the words stand in for the map.
      setFailed(true);
      return;
    }
    map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
    const pin = document.createElement('div');
    pin.className = classes.pin ?? '';
    new Marker({ element: pin }).setLngLat([longitude, latitude]).addTo(map);
    return () => map.remove();
  }, [latitude, longitude, scheme, height]);

  if (hasFailed) return fallback;
  return <section ref={host} className={classes.map} style={{ height }} aria-label={`Map of ${label}`} />;
}

/** The land that the place belongs to, whole where it is not too large: a pin in nothing but sea tells nothing. */
function viewOf(position: MapPosition, widthPx: number, heightPx: number) {
  shapes ??= worldShapes(topology);
  return fitLand(shapes, position, { widthPx, heightPx });
}

let shapes: ReturnType<typeof worldShapes> | undefined;

export function mapStyle(scheme: 'light' | 'dark'): StyleSpecification {
  const { sea, land, border } = COLOURS[scheme];
  shapes ??= worldShapes(topology);
  return {
    version: 8,
    sources: { world: { type: 'geojson', data: shapes } },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': sea } },
      { id: 'land', type: 'fill', source: 'world', paint: { 'fill-color': land } },
      { id: 'borders', type: 'line', source: 'world', paint: { 'line-color': border, 'line-width': 0.8 } },
    ],
  };
}
