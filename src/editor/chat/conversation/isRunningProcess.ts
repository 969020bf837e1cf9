import { hasCode } from '../../../display/errorCode.ts';

/** Whether there is a process of this id on this machine; it may be another one than was meant. */
export function isRunningProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and somebody else's.
    return hasCode(error, 'EPERM');
  }
}
