/** The workgroup of the demo. Others of this name may be anybody's. */
export const DEMO_WORKGROUP = { name: 'demo', displayName: 'Demo' } as const;
