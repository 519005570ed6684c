export { startDaemon, type DaemonOptions, type RunningDaemon } from './start-daemon.ts';
