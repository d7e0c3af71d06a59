import { topic } from '../bus/topic.ts';

export const machineRemoved = topic<{ workgroup: string; machine: string }>('machines:removed');
