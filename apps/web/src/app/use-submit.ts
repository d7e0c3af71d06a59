import { type SyntheticEvent, useState } from 'react';
import { messageOf } from '../ui/message-of.ts';
import { ApiError } from './call.ts';

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

/** What a person may read about the last attempt; null where there is nothing to say. */
export interface Told {
  failure: string | null;
  /** The failure where it is about what was entered, for the form that has one field. */
  fault: string | null;
  /** The failure where it is about anything else: the way to the server, the session, too many attempts. */
  trouble: string | null;
}

/** Work whose failure shows where it was started, by default in the words of the error. */
export function useAttempt(wordsFor: (error: unknown) => string | null = messageOf) {
  const [told, setTold] = useState<Told>(NOTHING);
  const { isWorking, work } = useWork((error) => {
    // Whoever watches for it asks a second person now, and says so.
    if (error instanceof ApiError && error.error === 'approval.needed') return;
    const failure = wordsFor(error);
    setTold(
      isOfInput(error)
        ? { failure, fault: failure, trouble: null }
        : { failure, fault: null, trouble: failure },
    );
  });
  const forget = () => setTold(NOTHING);
  function attempt(task: () => Promise<void>): Promise<void> {
    forget();
    return work(task);
  }
  return { isWorking, ...told, attempt, forget };
}

const NOTHING: Told = { failure: null, fault: null, trouble: null };

/** Statuses that say nothing about what was entered. */
const OF_THE_WAY = [401, 408, 429];

/** Whether a failure may be about what was entered. */
export const isOfInput = (error: unknown): boolean =>
  !(error instanceof ApiError) || (error.code >= 400 && error.code < 500 && !OF_THE_WAY.includes(error.code));

export interface Submit extends Told {
  isWorking: boolean;
  handleSubmit: (event: SyntheticEvent) => void;
}

/** What every form does with its work: attempts it; the first field that is found wrong by then gets the focus. */
export function useSubmit(task: () => Promise<void>, wordsFor?: (error: unknown) => string | null): Submit {
  const { attempt, isWorking, failure, fault, trouble } = useAttempt(wordsFor);
  async function run(form: Element) {
    await attempt(task);
    // Once React has marked it.
    setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  }
  return {
    isWorking,
    failure,
    fault,
    trouble,
    handleSubmit: (event) => {
      event.preventDefault();
      // For React a dialog stands in the form that opened it: what is submitted there must not submit that one too.
      event.stopPropagation();
      void run(event.currentTarget);
    },
  };
}
