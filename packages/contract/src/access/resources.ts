/** What may be done with each type of resource. Source: specification 1, section 3. */
export const RESOURCE_ACTIONS = {
  DeviceCommand: ['read', 'run', 'manage'],
  Dashboard: ['view', 'edit', 'delete', 'create'],
  Entity: ['view', 'edit', 'delete', 'create'],
} as const;

export type ResourceType = keyof typeof RESOURCE_ACTIONS;
export type AccessAction = (typeof RESOURCE_ACTIONS)[ResourceType][number];

/** An action of a type of resource that has it. */
export type RuleAction = {
  [Type in ResourceType]: {
    readonly resource: Type;
    readonly action: (typeof RESOURCE_ACTIONS)[Type][number];
  };
}[ResourceType];

/** Resource id that means every resource of its type. */
export const ALL_RESOURCES = 'all';
