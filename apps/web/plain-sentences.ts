import type { Plugin } from 'vite';

/** Fails the build where nothing gives schemas our sentences (`speakPlainly`): forms would show those of the library. */
export function plainSentences(): Plugin {
  return {
    name: 'albedo-plain-sentences',
    apply: 'build',
    writeBundle(_, bundle) {
      const isSaid = Object.values(bundle).some(
        (file) => file.type === 'chunk' && /customError:/.test(file.code),
      );
      if (!isSaid) this.error('The sentences of the contract were left out of the build.');
    },
  };
}
