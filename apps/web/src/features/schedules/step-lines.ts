import type { Step } from './steps.ts';

export interface ChartLine {
  name: string;
  steps: readonly Step[];
  end: number | null;
}

export interface Scale {
  x: (at: number) => number;
  y: (level: number) => number;
  timeAt: (px: number) => number;
  /** A step of the axis. */
  levelAt: (py: number) => number;
  /** A time as round as what is in view allows. */
  snap: (at: number) => number;
  snapMs: number;
}

/** What an editor does with the steps of the first line; an index of -1 is its end. */
export interface StepEditing {
  onMove: (index: number, step: Step) => void;
  onAdd: (step: Step) => void;
  onRemove: (index: number) => void;
}
