import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import classes from './map-view.module.css';
import { canDrawMaps, MapBoundary } from './map-view.tsx';
import { type MapPlace, positionText } from './position.ts';

const PlacesCanvas = lazy(async () => ({ default: (await import('./places-canvas.tsx')).PlacesCanvas }));

interface PlacesMapProps {
  places: readonly MapPlace[];
  label: string;
  onOpen: (id: string) => void;
}

/** Several places on the built-in map of the world, which shows all of them; without maps, a list of them. */
export function PlacesMap(props: PlacesMapProps) {
  const fallback = (
    <ul className={classes.list}>
      {props.places.map(({ id, name, text, ...position }) => (
        <li key={id}>
          <button type="button" onClick={() => props.onOpen(id)}>
            {name}
          </button>{' '}
          {text ?? positionText(position)}
        </li>
      ))}
    </ul>
  );
  if (!canDrawMaps()) return fallback;
  return (
    <MapBoundary fallback={fallback}>
      <Suspense fallback={<Skeleton height="100%" radius={6} />}>
        <PlacesCanvas {...props} fallback={fallback} />
      </Suspense>
    </MapBoundary>
  );
}
