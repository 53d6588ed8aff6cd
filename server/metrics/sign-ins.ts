import { Counter, type Registry } from 'prom-client';
import { signInsEnded } from '../auth/sign-in/sign-in-failed.js';

/** Sign-ins by provider and outcome. */
export function recordSignIns(registry: Registry): void {
  const signIns = new Counter({
    name: 'ttt_sign_ins_total',
    help: 'Sign-ins that came back from the provider (signed_in) or failed.',
    labelNames: ['provider', 'outcome'],
    registers: [registry],
  });
  signInsEnded.subscribe(({ provider, outcome }) => signIns.inc({ provider, outcome }));
}
