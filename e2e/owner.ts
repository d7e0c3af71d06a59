/** Who signs in, and where the product under test listens. */
export const OWNER = { email: 'owner@albedo.local', password: 'a plain journey password' } as const;
export const PORTS = { http: 18_080, mqtt: 18_883 } as const;
