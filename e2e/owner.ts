/** Who signs in at the products that tests start. */
export const OWNER = { email: 'owner@albedo.local', password: 'a plain journey password' } as const;
