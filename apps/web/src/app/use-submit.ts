import { type SyntheticEvent, useState } from 'react';
import { messageOf } from './message-of.ts';

/**
 * Work that somebody waits for: whether it is under way, and doing it. What fails goes to `onFailure`, so that `work`
 * never rejects.
 */
export function useWork(onFailure: (error: unknown) => void) {
  const [isWorking, setWorking] = useState(false);
  async function work(task: () => Promise<void>): Promise<void> {
    setWorking(true);
    try {
      await task();
    } catch (error) {
      onFailure(error);
    } finally {
      setWorking(false);
    }
  }
  return { isWorking, work };
}

/**
 * Work whose failure is told where it was begun: `failure` is what a person may read about the last attempt, by default
 * in the words of the error, and null when there is nothing to tell.
 */
export function useAttempt(wordsFor: (error: unknown) => string | null = messageOf) {
  const [failure, setFailure] = useState<string | null>(null);
  const { isWorking, work } = useWork((error) => setFailure(wordsFor(error)));
  const forget = () => setFailure(null);
  function attempt(task: () => Promise<void>): Promise<void> {
    forget();
    return work(task);
  }
  return { isWorking, failure, attempt, forget };
}

export interface Submit {
  isWorking: boolean;
  /** What a person may read about the last attempt; null when there is nothing to tell. */
  failure: string | null;
  handleSubmit: (event: SyntheticEvent) => void;
}

/** What every form does with its work: attempts it; the first field that is found wrong by then gets the focus. */
export function useSubmit(task: () => Promise<void>, wordsFor?: (error: unknown) => string | null): Submit {
  const { isWorking, failure, attempt } = useAttempt(wordsFor);
  async function run(form: Element) {
    await attempt(task);
    // Once React has marked it.
    setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  }
  return {
    isWorking,
    failure,
    handleSubmit: (event) => {
      event.preventDefault();
      // For React a dialog stands in the form that opened it: what is submitted there must not submit that one too.
      event.stopPropagation();
      void run(event.currentTarget);
    },
  };
}
