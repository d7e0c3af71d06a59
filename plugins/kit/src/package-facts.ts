/** How people are asked for an argument, where its kind does not say enough. */
export interface ArgumentLook {
  /** `filesOnDisk` is chosen from a folder of the device, `fileContent` is written there. */
  type?: 'text' | 'choice' | 'password' | 'serial' | 'filesOnDisk' | 'fileContent' | 'sourceMap';
  directory?: string;
  options?: string[];
  default?: string;
  help?: string;
}

/** What a package says of its plugin besides what the plugin itself knows. */
export interface PackageFacts {
  /** Name of the package: lower case, with hyphens. */
  name: string;
  title: string;
  /** Categories of plugins; `other` where none fits. */
  labels: string[];
  /** Devices (as systemd calls them) and paths that it uses beside its own output. */
  uses?: { devices?: string[]; paths?: string[] };
  arguments?: Record<string, ArgumentLook>;
}
