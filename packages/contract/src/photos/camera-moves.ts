import type { DeviceCommand, NewDeviceCommand } from '../device-commands/device-commands.schema.ts';

/** What a camera can be told: eight directions, home, take photo. Source: specification 2, section 2. */
export const CAMERA_MOVES = [
  'up-left',
  'up',
  'up-right',
  'left',
  'home',
  'right',
  'down-left',
  'down',
  'down-right',
  'photo',
] as const;
export type CameraMove = (typeof CAMERA_MOVES)[number];

/** Parameters by which a saved command says that it steers cameras: which one, and what it is told. */
const WHICH = 'camera';
const WHAT = 'action';

/** The saved command that steers cameras of a device; one of its own goes before that of every device. */
export function cameraCommandOf(commands: readonly DeviceCommand[], device: string): DeviceCommand | null {
  const all = commands.filter(
    (one) => (one.device === null || one.device === device) && steersCameras(one.parameters),
  );
  return all.find((one) => one.device === device) ?? all[0] ?? null;
}

function steersCameras(parameters: DeviceCommand['parameters']): boolean {
  const names = parameters.map(({ name }) => name);
  const others = parameters.filter(({ name }) => name !== WHICH && name !== WHAT);
  return names.includes(WHICH) && names.includes(WHAT) && others.every((one) => one.default !== '');
}

/** The values with which such a command does that. */
export const cameraValues = (
  { parameters }: Pick<DeviceCommand, 'parameters'>,
  camera: string,
  move: CameraMove,
): Record<string, string> => ({
  ...Object.fromEntries(parameters.map((one) => [one.name, one.default])),
  [WHICH]: camera,
  [WHAT]: move,
});

/** The one for cameras of the plugin `camera`. */
export const newCameraCommand = (name: string, isForAll: boolean): NewDeviceCommand => ({
  name,
  description: '',
  command: `camera_albedo steer {${WHICH}} {${WHAT}}`,
  parameters: [
    { name: WHICH, description: '', type: 'text', default: '', options: [] },
    { name: WHAT, description: '', type: 'choice', default: 'photo', options: [...CAMERA_MOVES] },
  ],
  timeoutS: 60,
  isForAll,
});
