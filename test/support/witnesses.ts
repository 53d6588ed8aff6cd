/**
 * What a failed test leaves for its reader. Each witness tells what it sees at the moment of a failure, before the test cleans
 * up: a page what it shows, a server its last problems.
 */
type Witness = () => string | Promise<string>;

/** Made by environment.js, which asks them. */
declare const witnesses: Set<Witness>;

/** @returns a function that dismisses the witness */
export function addWitness(witness: Witness): () => void {
  witnesses.add(witness);
  return () => void witnesses.delete(witness);
}

const MOST_LINES = 20;

/** The last lines of a server's log, without those of its normal work. */
export function problemsIn(log: string): string {
  const lines = log.split('\n').filter((line) => line && !/^\{"level":[123]0,/.test(line));
  return lines.slice(-MOST_LINES).join('\n') || 'no problem in the log';
}
