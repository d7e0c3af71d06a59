/** Why a figure is missing: a report shows a dash, and says this in words. */
export type Reason =
  | 'no_energy'
  | 'no_rating'
  | 'no_irradiation'
  /** Less light than the least that gives a meaningful ratio. */
  | 'too_little_irradiation'
  /** The light was measured flat on the ground, the modules are tilted. */
  | 'horizontal_sensor'
  | 'no_dc_energy'
  | 'no_temperature'
  | 'no_coefficient'
  | 'no_reference_temperature'
  | 'no_expected'
  | 'no_budget'
  | 'no_meter'
  | 'no_hours'
  /** A power at which the efficiency has to be known was never seen. */
  | 'empty_bin'
  /** Nothing to rate: no interval over the threshold. */
  | 'nothing_rated'
  /** Too few others that lie alike. */
  | 'no_peers'
  /** Too short a time, as for a yearly degradation from less than two years. */
  | 'too_short';

/** A number, or why there is none. Never infinite, never NaN. */
export type Figure = { value: number; reason: null } | { value: null; reason: Reason };

export const noFigure = (reason: Reason): Figure => ({ value: null, reason });

/** The number, unless it is none. */
export const figureOf = (value: number | null, reason: Reason): Figure =>
  value !== null && Number.isFinite(value) ? { value, reason: null } : noFigure(reason);

/** One sum through another; no figure where the lower one is 0 or less. */
export const ratioOf = (upper: number, lower: number, reason: Reason): Figure =>
  lower > 0 ? figureOf(upper / lower, reason) : noFigure(reason);
