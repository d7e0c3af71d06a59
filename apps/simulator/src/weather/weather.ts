import { clearSkyGhiWm2 } from '@albedo/energy/clear-sky';
import { type Irradiance, splitIrradiance } from '@albedo/energy/irradiance';
import { type SunPosition, sunPosition } from '@albedo/energy/sun';
import { seedOf, smoothNoise } from './noise.ts';
import type { Climate, Site } from './site.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface Weather {
  sun: SunPosition;
  sky: Irradiance;
  ambientC: number;
  windMs: number;
  windFromDeg: number;
  humidityPct: number;
  pressureHPa: number;
}

/** The weather over one site, for any instant; a pure function of the seed and the time. */
export class WeatherModel {
  readonly #site: Site;
  readonly #climate: Climate;
  readonly #seeds: Record<
    'front' | 'bank' | 'cloud' | 'edge' | 'haze' | 'wind' | 'gust' | 'turn' | 'air',
    number
  >;

  constructor(seed: number, site: Site, climate: Climate) {
    this.#site = site;
    this.#climate = climate;
    const of = (name: string) => seedOf(seed, name);
    this.#seeds = {
      front: of('front'),
      bank: of('bank'),
      cloud: of('cloud'),
      edge: of('edge'),
      haze: of('haze'),
      wind: of('wind'),
      gust: of('gust'),
      turn: of('turn'),
      air: of('air'),
    };
  }

  /** Units: `at` epoch ms. */
  at(at: number): Weather {
    const sun = sunPosition(at, this.#site.latitudeDeg, this.#site.longitudeDeg);
    const cover = this.#cover(at);
    const ghiWm2 = clearSkyGhiWm2(sun) * this.#transmission(at, cover);
    const gusts = 0.5 + smoothNoise(this.#seeds.gust, at, 4 * MINUTE_MS);
    const windMs = this.#climate.windMs * 2 * smoothNoise(this.#seeds.wind, at, 5 * HOUR_MS) * gusts;
    const ambientC = this.#ambientC(at, cover);
    const front = smoothNoise(this.#seeds.front, at, 1.7 * DAY_MS);
    const seaLevelHPa = 1024 - 22 * front;
    return {
      sun,
      sky: splitIrradiance(at, sun, ghiWm2),
      ambientC,
      windMs,
      windFromDeg: (smoothNoise(this.#seeds.turn, at, 9 * HOUR_MS) * 540) % 360,
      humidityPct: Math.min(
        98,
        Math.max(12, 62 + 34 * (cover - 0.4) - 1.6 * (ambientC - this.#climate.meanC)),
      ),
      pressureHPa: seaLevelHPa * (1 - this.#site.altitudeM / 44_330) ** 5.255,
    };
  }

  /** Part of the sky under cloud, 0..1. Whole days differ, as fronts pass in about two days. */
  #cover(at: number): number {
    const front = smoothNoise(this.#seeds.front, at, 1.7 * DAY_MS);
    const bank = smoothNoise(this.#seeds.bank, at, 5 * HOUR_MS);
    const cover = 1.9 * (0.75 * front + 0.25 * bank - 0.5) + 0.08 + 0.95 * this.#climate.cloudiness;
    return Math.min(1, Math.max(0, cover));
  }

  /**
   * Part of the clear-sky irradiance that arrives. Cumulus pass within minutes, their edges add a few per cent; an
   * overcast sky leaves about a fifth.
   */
  #transmission(at: number, cover: number): number {
    const haze = 0.93 + 0.06 * smoothNoise(this.#seeds.haze, at, 31 * HOUR_MS);
    if (cover === 0) return haze;
    const shape =
      0.5 * smoothNoise(this.#seeds.bank, at, 47 * MINUTE_MS) +
      0.33 * smoothNoise(this.#seeds.cloud, at, 11 * MINUTE_MS) +
      0.17 * smoothNoise(this.#seeds.edge, at, 2.3 * MINUTE_MS);
    const depth = Math.min(1, Math.max(0, (shape - (0.86 - 0.72 * cover)) / 0.13));
    const shade = depth * depth * (3 - 2 * depth);
    const edge = shade > 0 && shade < 0.5 ? 0.05 * Math.sin(2 * Math.PI * shade) : 0;
    return haze * (1 - shade * (0.5 + 0.32 * cover) + edge);
  }

  /** Coldest and warmest a month after the solstices and three hours after noon; clouds flatten the day. */
  #ambientC(at: number, cover: number): number {
    const { meanC, yearSwingC, daySwingC } = this.#climate;
    const year = (2 * Math.PI * (at - Date.UTC(2000, 6, 24))) / (365.2425 * DAY_MS);
    const solarHour = (at / HOUR_MS + this.#site.longitudeDeg / 15) % 24;
    const season = Math.cos(year) * Math.sign(this.#site.latitudeDeg);
    const hour = Math.cos((2 * Math.PI * (solarHour - 15)) / 24);
    const air = smoothNoise(this.#seeds.air, at, 3.1 * DAY_MS) - 0.5;
    return meanC + yearSwingC * season + daySwingC * hour * (1 - 0.55 * cover) + 9 * air;
  }
}
