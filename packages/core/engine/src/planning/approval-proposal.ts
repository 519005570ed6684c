import { readdir, statfs } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import type { ApprovalProposal } from '@assay/contracts';
import type { Config } from '../home/config.ts';

/** What a machine has: memory and free disk in bytes. */
export interface MachineResources {
  readonly cpus: number;
  readonly memory: number;
  readonly disk: number;
  readonly gpus: number;
}

/** What whoever approves a full run should know: needs against what is there. A cost in money is never made up. */
export function approvalProposal(found: MachineResources, needs: Config['full']): ApprovalProposal {
  const probe = {
    cpus: { needs: needs.min_cpus, found: found.cpus },
    memory: { needs: needs.min_memory_bytes, found: found.memory },
    disk: { needs: needs.min_disk_bytes, found: found.disk },
    gpus: { needs: needs.min_gpus, found: found.gpus },
  };
  const kinds = ['cpus', 'memory', 'disk', 'gpus'] as const;
  return { probe, lacking: kinds.filter((kind) => probe[kind].found < probe[kind].needs), costUsd: null };
}

/** What this machine has for a home. Limits of the control group that the daemon runs in count. */
export async function machineResources(home: string): Promise<MachineResources> {
  const { bavail, bsize } = await statfs(home);
  const constrained = process.constrainedMemory();
  return {
    cpus: availableParallelism(),
    memory: constrained > 0 ? Math.min(constrained, totalmem()) : totalmem(),
    disk: bavail * bsize,
    gpus: await countGpus(),
  };
}

/** Devices that the drivers of NVIDIA (/proc) and AMD (/sys/class/kfd, nodes with compute units) list. */
async function countGpus(): Promise<number> {
  const nvidia = await readdir('/proc/driver/nvidia/gpus').catch(() => []);
  const amd = await readdir('/sys/class/drm').catch(() => []);
  const isAmd = await readdir('/sys/class/kfd/kfd/topology/nodes').catch(() => []);
  const cards = isAmd.length === 0 ? 0 : amd.filter((name) => /^renderD\d+$/.test(name)).length;
  return nvidia.length > 0 ? nvidia.length : cards;
}
