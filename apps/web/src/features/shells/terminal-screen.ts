/** A terminal on the screen, for whoever feeds it. */
export interface TerminalScreen {
  readonly cols: number;
  readonly rows: number;
  /** Shows bytes; `done` is called once they are on the screen. */
  show(bytes: Uint8Array, done?: () => void): void;
  resize(cols: number, rows: number): void;
  reset(): void;
}

export const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
