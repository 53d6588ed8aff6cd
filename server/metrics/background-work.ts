import { Counter, Gauge, type Registry } from 'prom-client';
import { workEnded, works } from '../database/background-work.js';

/** Work in the background: its runs, and whether it is late. */
export function recordBackgroundWork(registry: Registry): void {
  const registers = [registry];
  const runs = new Counter({
    name: 'ttt_background_runs_total',
    help: 'Runs of work in the background.',
    labelNames: ['work', 'outcome'],
    registers,
  });
  workEnded.subscribe(({ work, failed }) => runs.inc({ work, outcome: failed ? 'failed' : 'done' }));
  new Gauge({
    name: 'ttt_background_since_success_seconds',
    help: 'The time since the last successful run, or since the start before the first one.',
    labelNames: ['work'],
    registers,
    collect() {
      for (const [work, { sinceSuccess }] of works.values()) this.set({ work }, sinceSuccess);
    },
  });
  new Gauge({
    name: 'ttt_background_interval_seconds',
    help: 'The time from one run to the next.',
    labelNames: ['work'],
    registers,
    collect() {
      for (const [work, { interval }] of works.values()) this.set({ work }, interval);
    },
  });
}
