/** Figures of a process. Only Linux provides them as files. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const LINUX = existsSync('/proc/self/stat');
const TICKS_PER_SECOND = LINUX ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : Number.NaN;

/** User and system time of processes since their starts; NaN on other systems. @param {readonly number[]} pids */
export function cpuSeconds(pids) {
  if (!LINUX) return Number.NaN;
  const ticks = pids.map((pid) => {
    // The second field is a name in brackets, which may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND;
}

/** Resident memory now and at its highest, in bytes; NaN on other systems. */
export function memory(/** @type {number} */ pid) {
  if (!LINUX) return { now: Number.NaN, highest: Number.NaN };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (/** @type {string} */ name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1_024;
  return { now: bytes('VmRSS'), highest: bytes('VmHWM') };
}
