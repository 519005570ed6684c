import { spawn } from 'node:child_process';

/** Opens an address in the person's browser. False where none can be shown, such as over ssh. */
export function openBrowser(url: string, env: Readonly<Record<string, string | undefined>>): boolean {
  const program = browserProgram(process.platform, env);
  if (program === undefined) return false;
  const child = spawn(program, [url], { detached: true, stdio: 'ignore' });
  child.once('error', () => undefined); // the link is printed too
  child.unref();
  return true;
}

export function browserProgram(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (platform === 'darwin') return 'open';
  const hasScreen = env['DISPLAY'] !== undefined || env['WAYLAND_DISPLAY'] !== undefined;
  return platform === 'linux' && hasScreen ? 'xdg-open' : undefined;
}
