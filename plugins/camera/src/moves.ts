/** One step: 1 is right or up, -1 left or down. */
export interface Direction {
  pan: -1 | 0 | 1;
  tilt: -1 | 0 | 1;
}

/** Source: specification 2, section 2: pan and tilt in eight directions, home, take photo. */
export const DIRECTIONS = {
  up: { pan: 0, tilt: 1 },
  'up-right': { pan: 1, tilt: 1 },
  right: { pan: 1, tilt: 0 },
  'down-right': { pan: 1, tilt: -1 },
  down: { pan: 0, tilt: -1 },
  'down-left': { pan: -1, tilt: -1 },
  left: { pan: -1, tilt: 0 },
  'up-left': { pan: -1, tilt: 1 },
} as const satisfies Record<string, Direction>;

export type Step = keyof typeof DIRECTIONS;
export type Move = Step | 'home' | 'photo';

export const isStep = (move: string): move is Step => Object.hasOwn(DIRECTIONS, move);
export const MOVES: readonly Move[] = [...(Object.keys(DIRECTIONS) as Step[]), 'home', 'photo'];

/** An address that moves a camera: `{action}` is written as in `upright`, `{pan}` and `{tilt}` are -1, 0 or 1. */
export function moveAddress(pattern: string, move: Exclude<Move, 'photo'>): string {
  const { pan, tilt } = isStep(move) ? DIRECTIONS[move] : { pan: 0, tilt: 0 };
  const values = new Map([
    ['action', move.replace('-', '')],
    ['pan', String(pan)],
    ['tilt', String(tilt)],
  ]);
  return pattern.replace(/\{(action|pan|tilt)\}/g, (_, name: string) => values.get(name) ?? '');
}
