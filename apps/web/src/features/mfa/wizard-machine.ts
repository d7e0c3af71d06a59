/** The steps of setting up two-factor authentication. Source: specification 1, section 2. */
export const WIZARD_STEPS = ['information', 'create', 'scan', 'enter', 'recovery', 'secured'] as const;
export type WizardStep = (typeof WIZARD_STEPS)[number];

export interface WizardState {
  step: WizardStep;
  /** `otpauth:` address of the QR code. */
  uri: string | null;
  /** Granted together with the recovery code, once a code of the authenticator was confirmed. */
  done: { token: string; recoveryCode: string } | null;
}

export type WizardEvent =
  | { type: 'next' }
  | { type: 'back' }
  | { type: 'created'; uri: string }
  | { type: 'confirmed'; token: string; recoveryCode: string };

export const WIZARD_START: WizardState = { step: 'information', uri: null, done: null };

/** It must be completed within 20 minutes. Source: specification 1, section 4. */
export const WIZARD_MS = 20 * 60_000;

export function wizard(state: WizardState, event: WizardEvent): WizardState {
  switch (event.type) {
    case 'next':
      return canGoNext(state) ? { ...state, step: stepAt(state, 1) } : state;
    case 'back':
      return canGoBack(state) ? { ...state, step: stepAt(state, -1) } : state;
    case 'created':
      return { ...state, uri: event.uri };
    case 'confirmed':
      return { ...state, done: { token: event.token, recoveryCode: event.recoveryCode } };
  }
}

/** Not without a QR code on step 2, nor before the code is confirmed on step 4. */
export function canGoNext({ step, uri, done }: WizardState): boolean {
  if (step === 'create') return uri !== null;
  if (step === 'enter') return done !== null;
  return step !== 'secured';
}

/** Once the code is confirmed there is no way back. */
export const canGoBack = ({ step, done }: WizardState): boolean => step !== 'information' && done === null;

function stepAt({ step }: WizardState, by: 1 | -1): WizardStep {
  return WIZARD_STEPS[WIZARD_STEPS.indexOf(step) + by] ?? step;
}
