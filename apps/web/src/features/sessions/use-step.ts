import { type FormEvent, useState } from 'react';

export interface StepForm {
  isWorking: boolean;
  failure: string | null;
  handleSubmit: (event: FormEvent) => void;
}

/**
 * One form of the login card: works, then says what failed in the words of that step. The text stays while the
 * form works again, so that nothing jumps.
 */
export function useStep(work: () => Promise<void>, wordsFor: (error: unknown) => string): StepForm {
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  async function run() {
    setWorking(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(wordsFor(error));
    } finally {
      setWorking(false);
    }
  }
  return {
    isWorking,
    failure,
    handleSubmit: (event) => {
      event.preventDefault();
      void run();
    },
  };
}
