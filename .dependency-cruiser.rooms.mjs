import plan from './.dependency-cruiser.mjs';

/** Rooms do not need each other in a circle, even where no file does. Tests may look into every room. */
export default {
  forbidden: [
    {
      name: 'no-knots-of-rooms',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(apps|packages|plugins)/[^/]+/src/' },
      to: { circular: true },
    },
  ],
  options: {
    ...plan.options,
    exclude: {
      path: '((^|/)(dist|data|\\.cache|testing)/|\\.test\\.tsx?$|\\.test-store\\.ts$|-child\\.ts$)',
    },
  },
};
