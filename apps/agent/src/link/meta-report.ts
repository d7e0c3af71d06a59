import { LINK_LIMITS } from '@albedo/contract/link/link.messages';

/** How long changes of what is captured are collected before they are reported, ms. */
const COLLECT_MS = 1000;
/** What was said so long ago was heard by whoever listened then; what is younger may have reached nobody. */
const MISSED_MS = 60_000;

interface MetaReportOptions {
  /** What the agent captures now. */
  build: () => Record<string, unknown>;
  /** False where nothing can be sent. */
  publish: (message: string) => boolean;
  report: (message: string) => void;
}

/** Tells the cloud what is captured, as often as that becomes something else. */
export class MetaReport {
  readonly #options: MetaReportOptions;
  #timer: NodeJS.Timeout | null = null;
  #sent = '';
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(options: MetaReportOptions) {
    this.#options = options;
  }

  /** It may be something else now: told soon, if it is. */
  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#tell({ evenIfSame: false });
    }, COLLECT_MS);
  }

  /** Tells it now, for somebody who may not know it. */
  send(): void {
    this.#tell({ evenIfSame: true });
  }

  /** Tells it once more if what was told last may have reached nobody. */
  sendMissed(): void {
    if (performance.now() - this.#sentAt < MISSED_MS) this.send();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  #tell({ evenIfSame }: { evenIfSame: boolean }): void {
    const text = JSON.stringify(this.#options.build());
    if (text === this.#sent && !evenIfSame) return;
    if (text.length > LINK_LIMITS.messageBytes - 100) {
      this.#options.report(
        `what is captured takes ${text.length} bytes to tell, more than a message may have`,
      );
      return;
    }
    if (!this.#options.publish(`{"at":${Date.now()},"meta":${text}}`)) return;
    this.#sent = text;
    this.#sentAt = performance.now();
  }
}
