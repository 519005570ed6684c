export { leakGuard, processesOf, type LeakingProcess } from './leak-guard.ts';
export { assertProperty, type PropertyOptions } from './kept-seeds.ts';
export { missing, type Need } from './needs.ts';
export { MovingClock } from './moving-clock.ts';
export { temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';
export { verifies } from './verifies.ts';
export { startTestDaemon, type TestDaemon, type TestDaemonOptions } from './test-daemon.ts';
export { sourceDistribution, wheel, type Distribution, type Wheel } from './distributions.ts';
export { loopbackIndex, type LoopbackIndex, type LoopbackIndexOptions } from './loopback-index.ts';
