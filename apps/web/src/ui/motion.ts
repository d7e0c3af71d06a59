/** Whether things may move: not for people who asked their system for less motion. */
export const wantsMotion = (): boolean =>
  window.matchMedia?.('(prefers-reduced-motion: no-preference)').matches ?? false;
