import { hasCode } from '../../../display/errorCode.ts';

/** Whether a process with this ID runs on this machine. It may be another process that reuses the ID. */
export function isRunningProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists but belongs to another user.
    return hasCode(error, 'EPERM');
  }
}
