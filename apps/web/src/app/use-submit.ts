import { type SyntheticEvent, useState } from 'react';

export interface Submit {
  isWorking: boolean;
  /** What a person may read about the last attempt; null when there is nothing to tell. */
  failure: string | null;
  handleSubmit: (event: SyntheticEvent) => void;
}

/**
 * What every form does with its work: shows that it is under way, then says what failed, by default in the words of
 * the error. The first field that is found wrong by then gets the focus.
 */
export function useSubmit(work: () => Promise<void>, wordsFor: (error: unknown) => string = wordsOf): Submit {
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  async function run(form: Element) {
    setWorking(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(wordsFor(error));
    } finally {
      setWorking(false);
    }
    // Once React has marked it.
    setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  }
  return {
    isWorking,
    failure,
    handleSubmit: (event) => {
      event.preventDefault();
      void run(event.currentTarget);
    },
  };
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
