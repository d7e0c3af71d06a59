/** Severities of a workgroup that set none, the gravest first. Source: specification 2, section 3. */
export const SEVERITIES = [
  { id: 'high', name: 'High', color: 'red' },
  { id: 'medium', name: 'Medium', color: 'orange' },
  { id: 'low', name: 'Low', color: 'yellow' },
] as const;
