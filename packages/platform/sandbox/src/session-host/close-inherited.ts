import { closeSync, readFileSync, readdirSync } from 'node:fs';

const STDERR = 2;
const O_CLOEXEC = 0o2000000;

/**
 * Closes descriptors that came from whoever started this process and would go on into every sandbox. Those that Node
 * opened itself are marked to be closed at exec; what is not marked was inherited.
 */
export function closeInherited(): void {
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name);
    if (fd > STDERR && isInherited(fd)) closeSync(fd);
  }
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    return false; // The descriptor of the listing itself, closed by now.
  }
}
