import { Skeleton } from '@mantine/core';
import { IconMapPinOff } from '@tabler/icons-react';
import { Component, lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './map-view.module.css';
import { type MapPosition, positionText } from './position.ts';

const MapCanvas = lazy(async () => ({ default: (await import('./map-canvas.tsx')).MapCanvas }));

export interface MapViewProps {
  position: MapPosition;
  label: string;
  height?: number;
}

/** A place on the small built-in map of the world; where the browser cannot draw maps, its coordinates in words. */
export function MapView(props: MapViewProps) {
  const height = props.height ?? 260;
  const fallback = <WithoutMap {...props} height={height} />;
  if (!canDrawMaps()) return fallback;
  return (
    <MapBoundary fallback={fallback}>
      <Suspense fallback={<Skeleton height={height} radius={6} />}>
        <MapCanvas position={props.position} label={props.label} height={height} fallback={fallback} />
      </Suspense>
    </MapBoundary>
  );
}

function WithoutMap({ position, label, height }: Required<MapViewProps>) {
  const { t } = useTranslation();
  return (
    <div className={classes.without} style={{ height }}>
      <IconMapPinOff size={24} aria-hidden />
      <p>
        {label}: {positionText(position)}
      </p>
      <p className={classes.hint}>{t('map.noWebGl')}</p>
    </div>
  );
}

let hasWebGl: boolean | undefined;

export function canDrawMaps(): boolean {
  hasWebGl ??= document.createElement('canvas').getContext('webgl2') !== null;
  return hasWebGl;
}

/** The map's chunk may fail to load; the page around it goes on. */
export class MapBoundary extends Component<
  { children: ReactNode; fallback: ReactNode },
  { hasFailed: boolean }
> {
  override state = { hasFailed: false };
  static getDerivedStateFromError() {
    return { hasFailed: true };
  }
  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
