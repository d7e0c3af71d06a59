import { type GeoJSONSource, type Map as MapLibre, Marker } from 'maplibre-gl';
import type { MapPlace } from './position.ts';

const SOURCE = 'places';
/** Places that are closer together than this on the screen are one, px. */
const RADIUS_PX = 72;
/** From here on each stands alone. */
const MAX_ZOOM = 8;
/** The worst of what a group holds. */
const LEVELS = ['danger', 'warning'] as const;

export interface ClusterOptions {
  /** Writes on a button what a place is. */
  drawPlace: (element: HTMLElement, place: MapPlace) => void;
  drawGroup: (element: HTMLElement, group: { count: number; level: MapPlace['level'] }) => void;
  onOpen: (id: string) => void;
}

/**
 * Thousands of places on a map: those that stand close together are one button that says how many they are. Only what is in
 * sight is drawn.
 */
export class ClusteredPlaces {
  readonly #map: MapLibre;
  readonly #options: ClusterOptions;
  readonly #shown = new Map<string, Marker>();
  #places = new Map<string, MapPlace>();
  #features = '';
  #isStopped = false;

  constructor(map: MapLibre, options: ClusterOptions) {
    this.#map = map;
    this.#options = options;
  }

  set(places: readonly MapPlace[]): void {
    this.#places = new Map(places.map((one) => [one.id, one]));
    for (const [key, marker] of this.#shown) {
      const place = this.#places.get(key);
      if (place) this.#options.drawPlace(marker.getElement(), place);
    }
    const features = places
      .map(({ id, longitude, latitude, level }) => `${id} ${longitude} ${latitude} ${level}`)
      .join('\n');
    if (features === this.#features) return;
    this.#features = features;
    if (this.#map.isStyleLoaded()) this.#load();
    else this.#map.once('load', this.#load);
  }

  stop(): void {
    this.#isStopped = true;
    this.#map.off('load', this.#load);
    this.#map.off('render', this.#draw);
    for (const marker of this.#shown.values()) marker.remove();
    this.#shown.clear();
  }

  readonly #load = (): void => {
    if (this.#isStopped) return;
    const data: Parameters<GeoJSONSource['setData']>[0] = {
      type: 'FeatureCollection',
      features: [...this.#places.values()].map(({ id, longitude, latitude, level }) => ({
        type: 'Feature',
        properties: { id, level },
        geometry: { type: 'Point', coordinates: [longitude, latitude] },
      })),
    };
    const source = this.#source();
    if (source) return void source.setData(data);
    const countOf = (level: string) => ['+', ['case', ['==', ['get', 'level'], level], 1, 0]];
    this.#map.addSource(SOURCE, {
      ...{ type: 'geojson', data, cluster: true, clusterRadius: RADIUS_PX, clusterMaxZoom: MAX_ZOOM },
      clusterProperties: Object.fromEntries(LEVELS.map((level) => [level, countOf(level)])),
    });
    // Only what a layer shows is cut into tiles; the buttons are drawn above it.
    this.#map.addLayer({
      ...{ id: SOURCE, type: 'circle', source: SOURCE },
      paint: { 'circle-radius': 1, 'circle-opacity': 0 },
    });
    this.#map.on('render', this.#draw);
  };

  /** Puts up what came into sight, and takes away what left it. */
  readonly #draw = (): void => {
    if (this.#map.getSource(SOURCE) === undefined || !this.#map.isSourceLoaded(SOURCE)) return;
    const bounds = this.#map.getBounds();
    const seen = new Set<string>();
    for (const { geometry, properties } of this.#map.querySourceFeatures(SOURCE)) {
      if (geometry.type !== 'Point') continue;
      const at = geometry.coordinates as [number, number];
      const cluster = properties.cluster ? Number(properties.cluster_id) : null;
      const key = cluster === null ? String(properties.id) : `${cluster} ${properties.point_count}`;
      if (seen.has(key) || !bounds.contains(at)) continue;
      seen.add(key);
      if (this.#shown.has(key)) continue;
      const element = cluster === null ? this.#placeButton(key) : this.#groupButton(cluster, properties, at);
      if (element)
        this.#shown.set(key, new Marker({ element, anchor: 'bottom' }).setLngLat(at).addTo(this.#map));
    }
    for (const [key, marker] of this.#shown)
      if (!seen.has(key)) {
        marker.remove();
        this.#shown.delete(key);
      }
  };

  #placeButton(id: string): HTMLElement | null {
    const place = this.#places.get(id);
    if (!place) return null;
    const element = buttonWith(() => this.#options.onOpen(id));
    this.#options.drawPlace(element, place);
    return element;
  }

  #groupButton(id: number, properties: Record<string, unknown>, center: [number, number]): HTMLElement {
    const element = buttonWith(async () => {
      const zoom = await this.#source()?.getClusterExpansionZoom(id);
      if (zoom !== undefined && !this.#isStopped) this.#map.easeTo({ center, zoom });
    });
    const level = LEVELS.find((one) => Number(properties[one]) > 0) ?? null;
    this.#options.drawGroup(element, { count: Number(properties.point_count), level });
    return element;
  }

  #source(): GeoJSONSource | undefined {
    return this.#map.getSource<GeoJSONSource>(SOURCE);
  }
}

function buttonWith(onPress: () => void): HTMLElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.addEventListener('click', onPress);
  return element;
}
